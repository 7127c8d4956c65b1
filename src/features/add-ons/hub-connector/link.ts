/** The options of the link to a hub. No export contains them. */

/** The secret of the site at its hub. The host writes it with `api.site.options`, and it appears in no response. */
export const keyOption = 'hub_connector_key'

/** The last sync, and what the hub has since then. */
export const stateOption = 'hub_connector_state'
