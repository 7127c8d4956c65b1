/** Reads the option `theme`: settings in the shape of a `theme.json` file of version 2 or 3. */

import { INNER_FUNCTIONS } from '../../../render/filter/style-properties.ts'
import { isSafeCssValue } from '../../../render/filter/styles.ts'
import { readStyles, type StyleRules, type ThemeStyles } from './theme-styles.ts'

interface Preset {
  readonly slug: string
  readonly name?: string
}

/** The settings of a `theme.json` file that the pages know. Other members are ignored. */
export interface PagesTheme {
  /**
   * Colours, type, spaces and borders of the page, of elements (`link`, `heading`, `h1` to `h6`, `button`, `caption`, `cite`) and of
   * blocks. With a colour, pages stay in one scheme. Files of fonts are not loaded.
   */
  readonly styles?: ThemeStyles
  /** The member of this name in a `theme.json`; members that are not listed here are not read. */
  readonly settings?: {
    /** Presets of colours. */
    readonly color?: {
      /** Colours by slug, which add to those of the theme or replace them. */
      readonly palette?: readonly (Preset & { readonly color: string })[]
      /** Gradients by slug. */
      readonly gradients?: readonly (Preset & { readonly gradient: string })[]
    }
    /** Presets of fonts. */
    readonly typography?: {
      /** Sizes of fonts by slug. */
      readonly fontSizes?: readonly (Preset & { readonly size: string })[]
      /** Families of fonts by slug. */
      readonly fontFamilies?: readonly (Preset & { readonly fontFamily: string })[]
    }
    /** Presets of spaces. */
    readonly spacing?: {
      /** Spaces by slug. */
      readonly spacingSizes?: readonly (Preset & { readonly size: string })[]
    }
    /** Widths of blocks. */
    readonly layout?: {
      /** The width of the column of text. Default: that of the theme. */
      readonly contentSize?: string
      /** The width of blocks with a wide alignment. Default: that of the theme. */
      readonly wideSize?: string
    }
  }
}

/** The values of presets by their slugs. */
export interface ThemeValues {
  readonly colors: Readonly<Record<string, string>>
  readonly gradients: Readonly<Record<string, string>>
  readonly fontSizes: Readonly<Record<string, string>>
  readonly fontFamilies: Readonly<Record<string, string>>
  readonly styles: StyleRules
  readonly spacingSizes: Readonly<Record<string, string>>
  readonly contentSize?: string
  readonly wideSize?: string
}

/** Throws a TypeError that names the wrong member. */
export function readTheme(theme: PagesTheme): ThemeValues {
  const { settings = {} } = theme
  const { color = {}, typography = {}, spacing = {}, layout = {} } = settings
  const { contentSize, wideSize } = layout
  return {
    colors: valuesOf(color.palette, 'color', 'color.palette'),
    gradients: valuesOf(color.gradients, 'gradient', 'color.gradients'),
    fontSizes: valuesOf(typography.fontSizes, 'size', 'typography.fontSizes'),
    fontFamilies: valuesOf(typography.fontFamilies, 'fontFamily', 'typography.fontFamilies'),
    styles: readStyles(theme),
    spacingSizes: valuesOf(spacing.spacingSizes, 'size', 'spacing.spacingSizes'),
    ...(contentSize === undefined ? {} : { contentSize: checked(contentSize, 'layout.contentSize') }),
    ...(wideSize === undefined ? {} : { wideSize: checked(wideSize, 'layout.wideSize') }),
  }
}

const maxPresets = 100
const maxLength = 300

function valuesOf<Member extends string>(
  presets: readonly (Preset & Readonly<Record<Member, string>>)[] = [],
  member: Member,
  place: string,
): Readonly<Record<string, string>> {
  if (!Array.isArray(presets) || presets.length > maxPresets) {
    throw new TypeError(`theme.settings.${place} must be a list of at most ${maxPresets} presets`)
  }
  return Object.fromEntries(
    presets.map((preset, index) => {
      const { slug } = preset
      if (typeof slug !== 'string' || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(slug)) {
        throw new TypeError(`theme.settings.${place}[${index}].slug must be a word like "dark-blue"`)
      }
      return [slug, checked(preset[member], `${place}[${index}].${member}`)]
    }),
  )
}

/** The filter of style attributes judges values, so that none leaves its declaration or loads a file. */
function checked(value: unknown, place: string): string {
  const isSafe = typeof value === 'string' && value.length <= maxLength && isSafeCssValue(value, INNER_FUNCTIONS)
  if (!isSafe) throw new TypeError(`theme.settings.${place} must be a value of CSS, not ${JSON.stringify(value)}`)
  return value
}
