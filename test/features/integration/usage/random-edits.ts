/** Random edits of everything that names other records, through the routes and through `api.site`. */
import type { SiteUsage } from '../../../../src/features/integration/usage/index.ts'
import type { DryRunReport } from '../../../../src/index.ts'
import type { TestSite } from '../../../support/site.ts'

export const usageApi = ({ api }: TestSite): SiteUsage => (api.site as unknown as { readonly usage: SiteUsage }).usage

interface Edits {
  /** Makes the next edit. */
  next(): Promise<void>
  /** How many edits were refused. */
  refused(): number
}

/** Carries an edit out, which may be tried before. */
type CarryOut = <T>(real: () => Promise<T>, dry: () => Promise<DryRunReport | undefined>) => Promise<T>

export function randomEdits(site: TestSite, seed: number, carryOut: CarryOut = (real) => real()): Edits {
  const pick = createPick(seed)
  const ids: { [kind: string]: number[] } = { post: [], page: [], media: [], term: [], template: [], item: [] }
  let count = 0
  let refusals = 0
  const any = (kind: string) => {
    const known = ids[kind] as number[]
    return known.length === 0 ? 0 : (known[pick(known.length)] as number)
  }
  const send = async (method: string, path: string, args: object | undefined, options: object = {}) => {
    const sent = (more: object) =>
      site.api.call<{ id: number }>(method, path, args as never, { as: 'system', ...options, ...more })
    const { data } = await carryOut(
      () => sent({}),
      async () => (await sent({ dryRun: true })).dryRun,
    )
    return data
  }
  const call = async (method: string, path: string, args: object = {}) => {
    try {
      return await send(method, path, args)
    } catch (error) {
      if ((error as { status?: number }).status === undefined) throw error
      refusals++
      return undefined
    }
  }
  const create = async (kind: string, path: string, args: object) => {
    const made = await call('POST', path, args)
    if (made) ids[kind]?.push(made.id)
  }
  const remove = async (kind: string, path: string) => {
    const id = any(kind)
    if (id === 0) return
    await call('DELETE', `${path}/${id}`, { force: true })
    ids[kind] = (ids[kind] as number[]).filter((one) => one !== id)
  }
  const upload = async () => {
    const headers = { 'Content-Disposition': `attachment; filename="m${count}.txt"`, 'Content-Type': 'text/plain' }
    const file = new Blob([`file ${count}`])
    const { id } = await send('POST', '/cms/v2/media', undefined, { headers, file })
    ids['media']?.push(id)
  }
  const text = () =>
    [
      `<p>Plain ${count}</p>`,
      `<!-- cms:image {"id":${any('media')}} --><figure><img class="cms-image-${any('media')}"></figure><!-- /cms:image -->`,
      `[gallery ids="${any('media')},${any('media')}"]`,
      `<p><a href="/?p=${any('post')}">link</a></p>`,
      `<img src="https://quay.example/uploads/2024/0${1 + pick(9)}/pier-300x200.jpg">`,
    ][pick(5)] as string
  const elements = () =>
    JSON.stringify([
      {
        ...{ id: `e${count}`, elType: 'widget', widgetType: 'image', elements: [] },
        settings: {
          image: { id: any('media'), url: 'https://quay.example/x.png' },
          template_id: String(any('template')),
          classes: { $$type: 'classes', value: [`g-${pick(4)}`] },
          color: { $$type: 'global-color-variable', value: `v-${pick(4)}` },
          __globals__: { title_color: `globals/colors?id=${['primary', 'river'][pick(2)]}` },
          editor: text(),
        },
      },
    ])
  const built = () => ({ meta: { _builder_edit_mode: 'builder', _builder_data: elements() } })
  const edits: readonly (() => Promise<unknown>)[] = [
    () =>
      create('post', '/cms/v2/posts', {
        ...{ title: `Post ${count}`, content: text(), status: 'publish', featured_media: any('media') },
        categories: any('term') === 0 ? [] : [any('term')],
      }),
    () =>
      create('page', '/cms/v2/pages', {
        ...{ title: `Page ${count}`, parent: any('page'), status: 'publish' },
        ...built(),
      }),
    () => create('template', '/cms/v2/posts', { title: `Template ${count}`, ...built() }),
    () => create('term', '/cms/v2/categories', { name: `Term ${count}` }),
    upload,
    async () => any('post') && call('POST', `/cms/v2/posts/${any('post')}`, { content: text() }),
    async () =>
      any('post') &&
      call('POST', `/cms/v2/posts/${any('post')}`, { title: `New ${count}`, featured_media: any('media') }),
    async () =>
      any('post') && call('POST', `/cms/v2/posts/${any('post')}`, { categories: any('term') ? [any('term')] : [] }),
    async () => any('page') && call('POST', `/cms/v2/pages/${any('page')}`, built()),
    async () => any('page') && call('POST', `/cms/v2/pages/${any('page')}/autosaves`, { content: text(), ...built() }),
    async () => any('template') && call('POST', `/cms/v2/posts/${any('template')}`, built()),
    async () => any('post') && call('DELETE', `/cms/v2/posts/${any('post')}`),
    () => remove('post', '/cms/v2/posts'),
    () => remove('page', '/cms/v2/pages'),
    () => remove('term', '/cms/v2/categories'),
    () => remove('media', '/cms/v2/media'),
    () => {
      const values = { site_logo: any('media'), page_on_front: any('page') }
      return carryOut(
        () => site.api.site.options.write(values),
        () => site.api.site.dryRun((dry) => dry.options.write(values)),
      )
    },
    () =>
      create('item', '/cms/v2/menu-items', {
        title: `Item ${count}`,
        type: 'post_type',
        object: 'page',
        object_id: any('page'),
      }),
    () => call('POST', '/builder/v1/globals/colors/river', { title: 'River', value: '#2F6F8F' }),
    () =>
      call('POST', '/batch/v1', {
        requests: [
          { method: 'POST', path: '/cms/v2/posts', body: { title: `Batch ${count}`, featured_media: any('media') } },
          { method: 'POST', path: '/cms/v2/posts', body: { title: `Batch ${count}b`, content: text() } },
        ],
      }),
  ]
  return {
    async next() {
      count++
      await edits[pick(edits.length)]?.()
    },
    refused: () => refusals,
  }
}

/** A generator of whole numbers below a bound: the same seed gives the same ones. */
function createPick(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
