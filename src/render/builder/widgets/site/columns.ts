/** Writes the number of columns of a list as class names: `builder-grid-3 builder-grid-tablet-2 builder-grid-mobile-1`. */
import type { Settings } from '../../document/settings.ts'

const DEFAULTS = { columns: 3, columns_tablet: 2, columns_mobile: 1 } as const
const STARTS = { columns: '', columns_tablet: 'tablet-', columns_mobile: 'mobile-' } as const
const maxColumns = 12

export const columnClasses = (settings: Settings, prefix = ''): string[] =>
  (['columns', 'columns_tablet', 'columns_mobile'] as const).map((name) => {
    const own = settings.number(prefix + name, settings.number(name, DEFAULTS[name]))
    return `builder-grid-${STARTS[name]}${Math.min(Math.max(Math.floor(own), 1), maxColumns)}`
  })
