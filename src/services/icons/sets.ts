/** Finds icons by name: in the installed packages, or in the sets that a host gives. */
import type { nodeModule } from '../../core/runtime/node-module.ts'
import type { SetName } from './names.ts'
import type { CreateIcons } from './types.ts'

/** Opens built-in modules of Node, where the runtime has them. */
export type NodeModule = typeof nodeModule

/** The shape of an icon. */
export interface Shape {
  readonly width: number
  readonly height: number
  /** A duotone icon has two paths, others have one. */
  readonly paths: readonly string[]
}

export interface Sets {
  find(name: SetName): Shape | undefined
  /** Returns the package with the icons of a prefix, if the host has not installed it. */
  missing(prefix: string): string | undefined
}

/** Reads `{ icon: [width, height, aliases, unicode, path] }`. */
function shapeOf(value: unknown): Shape | undefined {
  if (typeof value !== 'object' || value === null || !('icon' in value) || !Array.isArray(value.icon)) return undefined
  const [width, height, , , drawn] = value.icon as readonly unknown[]
  const paths = Array.isArray(drawn) ? drawn : [drawn]
  if (typeof width !== 'number' || typeof height !== 'number') return undefined
  return { width, height, paths: paths.filter((path) => typeof path === 'string' && path !== '') }
}

// ---------------------------------------------------------------- sets of the host

interface NamedIcon {
  readonly prefix: string
  readonly iconName: string
  readonly icon: readonly unknown[]
}

const isNamedIcon = (value: unknown): value is NamedIcon =>
  typeof value === 'object' && value !== null && 'iconName' in value && 'prefix' in value && 'icon' in value

export async function givenSets(sets: NonNullable<CreateIcons['sets']>): Promise<Sets> {
  const shapes = new Map<string, Shape>()
  for (const set of sets) {
    const icons = typeof set === 'function' ? await (set as () => Promise<object>)() : set
    for (const icon of Object.values(icons)) {
      const shape = isNamedIcon(icon) ? shapeOf(icon) : undefined
      if (shape) for (const name of namesOf(icon)) shapes.set(name, shape)
    }
  }
  return { find: ({ prefix, name }) => shapes.get(`${prefix} ${name}`), missing: () => undefined }
}

const namesOf = ({ prefix, iconName, icon }: NamedIcon): readonly string[] => {
  const aliases = Array.isArray(icon[2]) ? icon[2] : []
  return [iconName, ...aliases].filter((name) => typeof name === 'string').map((name) => `${prefix} ${name}`)
}

// ---------------------------------------------------------------- installed packages

const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['fas', '@fortawesome/free-solid-svg-icons'],
  ['far', '@fortawesome/free-regular-svg-icons'],
  ['fab', '@fortawesome/free-brands-svg-icons'],
])

type Load = (module: string) => unknown

interface Package {
  /** Lists the modules, so that only existing ones are loaded. */
  readonly modules: ReadonlySet<string>
  readonly load: Load
}

/** Each icon, and each alias of one, is a module of the package: `faArrowRight`. */
const moduleOf = (name: string): string =>
  `fa${name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')}`

/** Reads single icons from the packages, found from this file as an import would find them. */
export function installedSets(builtIn: NodeModule): Sets {
  const packages = new Map<string, Package | undefined>()
  for (const [prefix, name] of PACKAGES) packages.set(prefix, openPackage(name, builtIn))
  return {
    find({ prefix, name }) {
      const found = packages.get(prefix)
      const module = moduleOf(name)
      if (!found?.modules.has(`${module}.js`)) return undefined
      const loaded = found.load(module)
      return typeof loaded === 'object' && loaded !== null && 'definition' in loaded
        ? shapeOf(loaded.definition)
        : undefined
    },
    missing: (prefix) => (packages.get(prefix) ? undefined : PACKAGES.get(prefix)),
  }
}

function openPackage(name: string, builtIn: NodeModule): Package | undefined {
  try {
    const required = builtIn('node:module')?.createRequire(import.meta.url)
    const folder = required?.resolve(`${name}/package.json`).replace(/[^/\\]+$/, '')
    const listed = folder && builtIn('node:fs')?.readdirSync(folder)
    return required && listed
      ? { modules: new Set(listed), load: (module) => required(`${name}/${module}`) }
      : undefined
  } catch {
    return undefined
  }
}
