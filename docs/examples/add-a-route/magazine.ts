/** A custom profile: all features of D1, and redirects. */
import { d1, profile } from 'site-api'
import { redirectRoutes } from './redirects.ts'

export const magazine = profile({ ...d1, name: 'magazine', features: [...d1.features, redirectRoutes] })
