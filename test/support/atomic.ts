/** Elements of the new generation, with tagged values. */

export const tag = ($$type: string, value: unknown) => ({ $$type, value })
export const text = (value: string) => tag('string', value)
export const sized = (size: number | string, unit = 'px') => tag('size', { size, unit })
export const colored = (value: string) => tag('color', value)

interface VariantOptions {
  readonly breakpoint?: string
  readonly state?: string
  readonly css?: string
}

export const variant = (props: object, { breakpoint = 'desktop', state, css }: VariantOptions = {}) => ({
  meta: { breakpoint, state: state ?? null },
  props,
  custom_css: css === undefined ? null : { raw: btoa(css) },
})

/** A widget that carries one local style. */
export const styled = (id: string, widgetType: string, variants: readonly object[], settings: object = {}) => ({
  ...{ id, elType: 'widget', widgetType, elements: [] },
  settings: { classes: tag('classes', [`e-${id}-1`]), ...settings },
  styles: { [`e-${id}-1`]: { id: `e-${id}-1`, type: 'class', label: 'local', variants } },
})

export const linkTo = (destination: unknown, rest: object = {}) => tag('link', { destination, ...rest })
