/** Gives the sets of icons to the api, for a bundler that has to see their imports. */
import * as brands from '@fortawesome/free-brands-svg-icons'
import * as solid from '@fortawesome/free-solid-svg-icons'
import { createIcons, createSiteApi, d2 } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

export const icons = createIcons({ sets: [solid, brands] })

export const api = createSiteApi({ storage: memoryStorage(), profile: d2, services: { icons } })
