/** Names of the meta values and options that store builder documents and the kit. */

export const elementsKey = '_builder_data'
export const editModeKey = '_builder_edit_mode'
export const templateTypeKey = '_builder_template_type'
export const pageSettingsKey = '_builder_page_settings'
/** The id of the user who saved the document last. Without it the author of the post counts as the editor. */
export const lastEditorKey = '_edit_last'

export const templateType = 'builder_library'
export const componentType = 'builder_component'

/** Options that belong to the kit. */
export const kitOptions = {
  /** The number in the class `builder-kit-<id>`. */
  id: 'builder_active_kit',
  /** Stores the settings of the kit that no other option contains: its page settings. */
  settings: 'builder_kit_settings',
  colors: 'builder_kit_colors',
  typography: 'builder_kit_typography',
  variables: 'builder_kit_variables',
  classes: 'builder_kit_global_classes',
  disableColors: 'builder_disable_color_schemes',
  disableTypography: 'builder_disable_typography_schemes',
  /** The same two, where clients write them as settings of the builder. */
  disableColorsSetting: 'setting:builder_disable_color_schemes',
  disableTypographySetting: 'setting:builder_disable_typography_schemes',
} as const

/** Parts of these options, which change less often: who reads a part depends on it alone. */
export const kitParts = {
  variableNames: `${kitOptions.variables}/names`,
  classLabels: `${kitOptions.classes}/labels`,
} as const

/** All that a kit is made from. */
export const kitKeys: readonly string[] = [...Object.values(kitOptions), ...Object.values(kitParts)]
