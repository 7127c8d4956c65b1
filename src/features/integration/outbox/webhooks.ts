/** The webhooks of a site: those of the option `webhooks`, and those that `api.site.webhooks` manages, in an option of the storage. */

import type { Json, Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import { base64Of } from '../../../core/runtime/base64.ts'
import { randomBytes } from '../../../core/runtime/crypto.ts'
import type { Settings } from '../../../site/settings.ts'

/** The webhooks that `api.site.webhooks` manages, with their secrets. */
export const webhooksOption = 'webhooks'

/** A webhook of the option `webhooks`. */
export interface WebhookOptions {
  /** Where events are sent: a public http or https address, unless `services.outbound` allows others. */
  readonly url: string
  /** `whsec_` and the key in base64, as the Standard Webhooks scheme has it. */
  readonly secret: string
  /** Names of events, `post.*`, or `*`. Default: all. */
  readonly events?: readonly string[]
}

/** A webhook, with the secret that its receiver verifies signatures with. */
export interface Webhook extends Required<WebhookOptions> {
  readonly id: string
  readonly isEnabled: boolean
  /** Why the service has stopped it: the receiver answered 410. */
  readonly stopped: string | null
  /** ISO, in GMT; empty for those of the option. */
  readonly createdAt: string
}

/** Throws a TypeError that names the wrong values. */
export function checkWebhook({ url, secret, events }: WebhookOptions): void {
  const { protocol = '' } = URL.canParse(url) ? new URL(url) : {}
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`the url of a webhook is an address, not ${url}`)
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) {
    throw new TypeError('the secret of a webhook is whsec_ and at least 24 bytes in base64')
  }
  const wrong = events?.find((name) => !/^(?:\*|[a-z-]+\.(?:\*|[a-z-]+))$/.test(name))
  if (wrong !== undefined) throw new TypeError(`a webhook takes names of events, 'post.*' or '*', not ${wrong}`)
}

export function newSecret(): string {
  return `whsec_${base64Of(randomBytes(24))}`
}

/** Creates the webhooks of the option; their addresses identify them. */
export const webhooksOf = (options: readonly WebhookOptions[]): readonly Webhook[] =>
  options.map(({ url, secret, events = ['*'] }) => ({
    ...{ id: `option:${url}`, url, secret, events, isEnabled: true, stopped: null, createdAt: '' },
  }))

export const takes = ({ events }: Pick<Webhook, 'events'>, name: string): boolean =>
  events.some((one) => one === '*' || one === name || (one.endsWith('.*') && name.startsWith(one.slice(0, -1))))

// The casts: only `changeWebhooks` writes the option.
const toWebhooks = (stored: Json | undefined) => (Array.isArray(stored) ? stored : []) as unknown as readonly Webhook[]

const webhooksIn = ({ options }: Settings): readonly Webhook[] => toWebhooks(options[webhooksOption])

export const storedWebhooks = async ({ settings }: AppContext, storage: Storage): Promise<readonly Webhook[]> =>
  webhooksIn(await settings.read(storage))

/** Whether the last read of the settings found webhooks; asks no storage. */
export function hasKnownWebhooks({ settings }: AppContext): boolean {
  const known = settings.known()
  return known !== undefined && webhooksIn(known).length > 0
}

/** Compare and set, again when another process was faster. */
export async function changeWebhooks(
  storage: Storage,
  change: (webhooks: readonly Webhook[]) => readonly Webhook[],
): Promise<void> {
  for (;;) {
    const stored = (await storage.options.read([webhooksOption]))[webhooksOption]
    const next = change(toWebhooks(stored)) as unknown as Json[]
    if (await storage.options.swap(webhooksOption, stored ?? null, next.length > 0 ? next : null)) return
  }
}
