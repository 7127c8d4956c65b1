/** The options that a site keeps for itself, as a test names them: a new one is added here, or an export has it. */

const ofEverySite = [
  ...['consent_key', 'pages_secret', 'hub_connector_key', 'hub_connector_state', 'webhooks', 'import_state'],
  ...['outbox_sequence', 'outbox_first_seen', 'next_due', 'due', 'plain_forms_after', 'terms_changed'],
]

/** The profile adds those of its features. */
export const ownOptions = {
  content: ofEverySite,
  d2: [...ofEverySite, 'edit_locks', 'builder_component_turn', 'a11y_stamp', 'theme_first_page'],
}
