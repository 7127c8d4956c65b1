/** Draws the pictures of docs/architecture.md as SVG: the rooms by floor, and the journey of a request. */

interface Room {
  /** The folder below `src/`, or `adapters`. */
  readonly name: string
  readonly text: string
}

/** The rooms from the top floor to the ground. A room imports from floors below its own only; a test compares the imports. */
export const floors: readonly { readonly name: string; readonly rooms: readonly Room[] }[] = [
  { name: 'command line', rooms: [{ name: 'cli', text: 'the command site-api' }] },
  {
    name: 'what a host imports',
    rooms: [
      { name: 'host', text: 'createSiteApi joins the parts' },
      { name: 'adapters', text: 'Node, Express, Fastify, …' },
      { name: 'site-pages', text: 'the pages of the site' },
      { name: 'mcp', text: 'tools for agents' },
    ],
  },
  { name: 'what a deployment has', rooms: [{ name: 'profiles', text: 'd1, d2, content, full: data' }] },
  {
    name: 'what a site is made of',
    rooms: [
      { name: 'management', text: 'api.site: seed, export, …' },
      { name: 'pages', text: 'docs page, consent page' },
      { name: 'client', text: 'the typed client' },
    ],
  },
  { name: 'the service', rooms: [{ name: 'features', text: 'endpoints and their rules, by group' }] },
  {
    name: 'what features use',
    rooms: [
      { name: 'render', text: 'text and documents to HTML' },
      { name: 'services', text: 'HTTP, media, mail, OAuth' },
    ],
  },
  {
    name: 'core: each room imports those after it',
    rooms: [
      { name: 'core/describe', text: 'site index, OpenAPI' },
      { name: 'core/pipeline', text: 'the journey of a request' },
      { name: 'core/routing', text: 'method, path to endpoint' },
      { name: 'core/request', text: 'body, query, arguments' },
      { name: 'core/declare', text: 'endpoint, feature, profile' },
    ],
  },
  {
    name: 'what answers show',
    rooms: [{ name: 'core/tags', text: 'reads and changes by tag' }],
  },
  {
    name: 'rules without HTTP',
    rooms: [
      { name: 'site', text: 'settings, slugs, roles, time' },
      { name: 'testing', text: 'conformance cases' },
    ],
  },
  {
    name: 'what writes change',
    rooms: [{ name: 'core/changes', text: 'rows of a transaction' }],
  },
  {
    name: 'tools and storages',
    rooms: [
      { name: 'core/runtime', text: 'retry, timer, cache, JSON' },
      { name: 'storage', text: 'memory, SQLite, PostgreSQL' },
      { name: 'names', text: 'neutral and public words' },
      { name: 'html', text: 'the HTML tokenizer' },
    ],
  },
  { name: 'the ground', rooms: [{ name: 'contract', text: 'interfaces of a storage, text folding' }] },
]

interface Step {
  readonly name: string
  readonly text: string
  readonly file: string
  /** The statuses with which a request may end here. */
  readonly ends?: string
}

/** The steps of a request in their order. */
export const steps: readonly Step[] = [
  { name: 'mount', text: 'a request becomes an Incoming', file: 'src/core/request/incoming.ts' },
  {
    name: 'cache',
    text: 'cached responses for visitors',
    file: 'src/core/pipeline/response/response-cache.ts',
    ends: '200',
  },
  { name: 'settings', text: 'settings are read, due tasks run', file: 'src/site/settings.ts' },
  {
    name: 'sign-in',
    text: 'Basic, or the host’s sign-in',
    file: 'src/core/pipeline/authentication.ts',
    ends: '401',
  },
  { name: 'match', text: 'method, path to an endpoint', file: 'src/core/routing/router.ts', ends: '404, 414' },
  { name: 'body', text: 'bytes to values, writes only', file: 'src/core/request/body.ts', ends: '400, 413, 415' },
  { name: 'arguments', text: 'coerced and checked', file: 'src/core/request/argument-parser.ts', ends: '400' },
  { name: 'resource', text: 'the record in the path', file: 'src/core/pipeline/execution.ts', ends: '404' },
  {
    name: 'permission',
    text: 'whether this user may do it',
    file: 'src/core/declare/permissions.ts',
    ends: '401, 403',
  },
  { name: 'conditions', text: 'If-Match, If-None-Match', file: 'src/core/pipeline/etag.ts', ends: '304, 412, 428' },
  { name: 'handler', text: 'the rules of the feature', file: 'src/features/', ends: 'any' },
  { name: 'hooks', text: 'other features act on events', file: 'src/core/pipeline/hooks.ts' },
  { name: 'options', text: '_fields, _embed, _envelope', file: 'src/core/pipeline/response/options.ts' },
  { name: 'events', text: 'the host’s listeners', file: 'src/core/pipeline/event-emitter.ts' },
  { name: 'response', text: 'headers, CORS, the body', file: 'src/core/pipeline/response/headers.ts' },
]

/** Steps that run inside one transaction where the endpoint writes. */
const firstInside = 'resource'
const lastInside = 'hooks'

/** The width of both pictures: a telephone shows it with text of 9 pixels or more. */
const width = 480

const style = `
    rect { fill: #f4f7f9; stroke: #33414d }
    .page { fill: #fff; stroke: none }
    .floor { fill: #e7edf1; stroke: none }
    .transaction { fill: none; stroke: #2f6b4f; stroke-dasharray: 6 4 }
    text { font: 14px sans-serif; fill: #1d262e }
    .name { font-weight: bold; font-size: 15px }
    .label { font-size: 13px; fill: #43525f }
    .file { font: 12px monospace; fill: #43525f }
    .end { fill: #9b2c2c }
    .note { fill: #2f6b4f }
    path { fill: none; stroke: #33414d; stroke-width: 1.5 }
    .exit { stroke: #9b2c2c }`

function svg(height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
  <title id="title">${title}</title>
  <style>${style}
  </style>
  <rect class="page" width="${width}" height="${height}"/>
  ${parts.join('\n  ')}
</svg>
`
}

const arrowDown = (x: number, y: number, length: number) => `<path d="M${x} ${y}v${length}m-5 -6l5 6l5 -6"/>`
const label = (kind: string, x: number, y: number, text: string) =>
  `<text class="${kind}" x="${x}" y="${y}">${text}</text>`

/** Draws docs/house.svg: a band for each floor, and two rooms beside each other. */
export function housePicture(): string {
  const parts: string[] = []
  let y = 12
  for (const [index, { name, rooms }] of floors.entries()) {
    const rows = Math.ceil(rooms.length / 2)
    const height = 24 + rows * 47
    parts.push(
      `<rect class="floor" x="12" y="${y}" width="456" height="${height}" rx="6"/>`,
      label('label', 22, y + 16, name),
    )
    for (const [at, room] of rooms.entries()) {
      const isAlone = at % 2 === 0 && at === rooms.length - 1
      const x = 22 + (at % 2) * 222
      const top = y + 23 + Math.floor(at / 2) * 47
      parts.push(
        `<rect x="${x}" y="${top}" width="${isAlone ? 436 : 214}" height="42" rx="5"/>`,
        label('name', x + 10, top + 18, room.name === 'adapters' ? 'adapters' : `src/${room.name}`),
        label('label', x + 10, top + 35, room.text),
      )
    }
    y += height
    if (index < floors.length - 1) parts.push(arrowDown(width / 2, y + 1, 16))
    y += 18
  }
  return svg(y - 6, 'The rooms of the source by floor. A room imports from the floors below its own only.', parts)
}

/** docs/request.svg: a box for each step, with the statuses that end a request beside it. */
export function requestPicture(): string {
  const pitch = 65
  const top = (index: number) => 12 + index * pitch
  const at = (name: string) => steps.findIndex((step) => step.name === name)
  const parts = [
    `<rect class="transaction" x="6" y="${top(at(firstInside)) - 7}" width="468" height="${(at(lastInside) - at(firstInside)) * pitch + 63}" rx="8"/>`,
    label('label note', 372, top(at(lastInside)) + 18, 'transaction'),
    label('label note', 372, top(at(lastInside)) + 36, 'of a write'),
  ]
  for (const [index, { name, text, file, ends }] of steps.entries()) {
    const y = top(index)
    parts.push(
      `<rect x="14" y="${y}" width="336" height="50" rx="5"/>`,
      label('name', 24, y + 20, name),
      label('label', 122, y + 20, text),
      label('file', 24, y + 41, file),
    )
    if (index < steps.length - 1) parts.push(arrowDown(182, y + 50, 14))
    if (ends)
      parts.push(`<path class="exit" d="M350 ${y + 25}h14m-6 -5l6 5l-6 5"/>`, label('label end', 372, y + 30, ends))
  }
  return svg(
    top(steps.length) - 4,
    'The journey of a request: its steps, and the statuses with which it may end at each.',
    parts,
  )
}
