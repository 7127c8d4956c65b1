/** Writes the links of the files: to files, to addresses elsewhere, and to the running site for what needs it. */
import { sha256Of } from '../../core/runtime/crypto.ts'
import { type Address, localOf, relativePath } from './addresses.ts'
import { type Crawl, isFragment } from './crawl.ts'
import type { Reference, Replace } from './references.ts'

interface LinkOptions {
  /** The address of the files, without a slash at its end. */
  readonly url: string
  /** The origin of the running site. */
  readonly server: string
  readonly isRelative: boolean
}

/** Redirects lead to redirects no further. */
const mostRedirects = 5

export class Links {
  readonly #crawl: Crawl
  readonly #home: URL
  readonly #options: LinkOptions
  readonly #states = new Map<Address, string>()

  constructor(crawl: Crawl, home: URL, options: LinkOptions) {
    this.#crawl = crawl
    this.#home = home
    this.#options = options
  }

  /** Replaces the references of the file that a server has under `path`; undefined: under any path. */
  replacing(address: Address, path: string | undefined): Replace {
    const base = new URL(address, this.#home)
    return (reference) => {
      const { value, use } = reference
      if (use !== 'form' && isFragment(value)) return value
      const target = this.#crawl.resolve(value, base)
      if (target === undefined) return value
      if (use === 'form') return this.#onServer(target.address) + target.fragment
      return this.#linkTo(target.address, reference, path) + target.fragment
    }
  }

  /** Returns a digest of where these addresses lead: while it is the same, the file that refers to them is. */
  digestOf(addresses: readonly Address[]): string {
    return sha256Of(JSON.stringify(addresses.map((address) => this.#stateOf(address)))).slice(0, 24)
  }

  #stateOf(address: Address): string {
    const known = this.#states.get(address)
    if (known !== undefined) return known
    const { file, elsewhere } = this.#followed(address)
    const state = file === undefined ? `${this.#crawl.visits.has(address)} ${elsewhere}` : file
    this.#states.set(address, state)
    return state
  }

  /** Returns the path of `url`: servers of files count from the root of the host. */
  get prefix(): string {
    return new URL(this.#options.url).pathname.replace(/\/$/, '')
  }

  /** Returns the path on the host of the files to which an address leads; the whole address where it leads elsewhere. */
  pathTo(address: Address): string {
    const { file, elsewhere } = this.#followed(address)
    return file === undefined ? elsewhere : this.prefix + file
  }

  #linkTo(address: Address, { use, isAbsolute }: Reference, path: string | undefined): string {
    const { url, isRelative } = this.#options
    const { file, elsewhere } = this.#followed(address)
    if (file === undefined)
      return use === 'text' && !this.#crawl.visits.has(address) && !address.includes('?')
        ? url + localOf(address, this.#home)
        : elsewhere
    if (!isRelative || isAbsolute) return url + file
    return path === undefined ? this.prefix + file : relativePath(path, file)
  }

  /** Follows redirects to the path of a file, or to where else they lead. */
  #followed(address: Address): { readonly file?: string; readonly elsewhere: string } {
    let at = address
    let fragment = ''
    for (let step = 0; step < mostRedirects; step++) {
      const visit = this.#crawl.visits.get(at)
      if (visit?.kind === 'file') return { file: visit.path + fragment, elsewhere: '' }
      if (visit?.kind === 'missing') return { elsewhere: this.#options.url + localOf(at, this.#home) }
      if (visit?.kind !== 'redirect') break
      const to = this.#crawl.resolve(visit.to)
      if (to === undefined) return { elsewhere: visit.to }
      at = to.address
      fragment = to.fragment
    }
    return { elsewhere: this.#onServer(at) + fragment }
  }

  #onServer = (address: Address): string => this.#options.server + address
}
