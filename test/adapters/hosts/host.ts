/** The one face of all hosts that the behaviours and the parity script run through. */
import type { SiteName, SiteOptions } from '../sites.ts'

/** Plain JSON, so that it can be handed to another process. */
export interface HostSetup {
  /** Made anew for each host by `createNamedSite`. */
  readonly site: SiteName
  readonly options?: SiteOptions
  /** Headers that the host sets on every answer before it calls us, in the way that is usual there. */
  readonly headersBefore?: { readonly [name: string]: string }
  /** The host answers `the host` to whatever we leave to it, and we leave to it what lies outside our namespaces. */
  readonly fallThrough?: boolean
  /** The path of the front page, as the option of that name. */
  readonly front?: string
  /** A path of the host, such as `/outer`, inside which it mounts us with a router that cuts it off. */
  readonly outer?: string
}

export interface RunningHost {
  /** Such as `http://127.0.0.1:4711`; undefined where there is no socket. */
  readonly origin?: string
  /** `target` begins with a slash and holds the root: `/api/echo/v1/thing?text=a`. */
  fetch(target: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** Features that a host may lack; a behaviour names those that it needs. */
export type Ability =
  /** Bytes on a socket: what no client library lets through. */
  | 'socket'
  /** The host can set headers before it calls us. */
  | 'headersBefore'
  /** The host can take back what we leave to it. */
  | 'fallThrough'
  /** We see every path there is: no part of the host answers some of them before us. */
  | 'allPaths'
  /** The host can mount us inside a router for a part of its site. */
  | 'outer'
  /** The host can mount the api at another root than `/api`. */
  | 'roots'
  /** The adapter has the option `front`. */
  | 'front'
  /** A body reaches us before anybody has read it. */
  | 'unreadBody'
  /** An answer may go out before the request has arrived whole. */
  | 'earlyAnswer'
  /** Methods of no meaning to the host reach us. */
  | 'allMethods'

export interface Host {
  readonly name: string
  /** Why, for each ability that is missing. */
  readonly cannot: { readonly [A in Ability]?: string }
  /** Behaviours that are skipped here, by their name, and why. */
  readonly skips?: { readonly [behaviour: string]: string }
  start(setup: HostSetup): Promise<RunningHost>
}

/** For `onFailure`: some behaviours make an answer fail, and the terminal need not show it. */
export const quiet = () => undefined
