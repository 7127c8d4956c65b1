import express from 'express'
import type { SiteApi } from 'site-api'
import { createExpressHandler } from 'site-api/express'

export const mount = (api: SiteApi) => express().use('/api', createExpressHandler(api))
