/** Generates pages with and without problems: the same pages in each run, each a mix of parts, colours and frames. */

export interface GeneratedPage {
  readonly name: string
  readonly html: string
}

export type Random = () => number

/** Creates numbers from 0 to 1 from a seed (Mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
const words = ['Low tide', 'The weir in March', 'Boats for hire', 'Opening hours', 'Letters', 'A walk to the mill']

let counter = 0
const unique = (name: string): string => `${name}-${++counter}`

// ---------------------------------------------------------------- parts

const IMAGES = [
  () => `<img src="${picture}" width="40" height="40">`,
  () => `<img src="${picture}" width="40" height="40" alt="A boat">`,
  () => `<img src="${picture}" width="40" height="40" alt="">`,
  () => `<img src="${picture}" width="40" height="40" alt=" ">`,
  () => `<img src="${picture}" width="40" height="40" title="A boat">`,
  () => `<img src="${picture}" width="40" height="40" aria-label="A boat">`,
  () => `<img src="${picture}" width="40" height="40" aria-label="">`,
  () => `<img src="${picture}" width="40" height="40" role="presentation">`,
  () => `<img src="${picture}" width="40" height="40" aria-hidden="true">`,
  () => `<div style="display:none"><img src="${picture}" width="40" height="40"></div>`,
  () => `<figure><img src="${picture}" width="40" height="40"><figcaption>A boat</figcaption></figure>`,
  () => `<input type="image" src="${picture}" width="40" height="40">`,
  () => `<input type="image" src="${picture}" width="40" height="40" alt="Search">`,
  () => `<div role="img" style="width:40px;height:40px;background:#ccc"></div>`,
  () => `<div role="img" aria-label="A boat" style="width:40px;height:40px;background:#ccc"></div>`,
  () => `<svg role="img" width="40" height="40"><circle r="9"></circle></svg>`,
  () => `<svg role="img" width="40" height="40"><title>A boat</title><circle r="9"></circle></svg>`,
  () => {
    const map = unique('map')
    return `<img src="${picture}" width="40" height="40" alt="Map" usemap="#${map}"><map name="${map}"><area href="/a" coords="0,0,9,9"><area href="/b" alt="Quay" coords="9,9,20,20"></map>`
  },
  () => `<iframe src="about:blank" width="60" height="40"></iframe>`,
  () => `<iframe src="about:blank" width="60" height="40" title="Map"></iframe>`,
]

const CONTROLS = [
  () => `<a href="/bay/"></a>`,
  () => `<a href="/bay/">The bay</a>`,
  () => `<a href="/bay/"><i></i></a>`,
  () => `<a href="/bay/"><img src="${picture}" width="40" height="40" alt=""></a>`,
  () => `<a href="/bay/"><img src="${picture}" width="40" height="40" alt="The bay"></a>`,
  () => `<a href="/bay/" aria-label="The bay"><i></i></a>`,
  () => `<a href="/bay/" title="The bay"><i></i></a>`,
  () => `<a href="/bay/"><span style="display:none">The bay</span></a>`,
  () => `<a href="/bay/"><span class="screen-only">The bay</span></a>`,
  () => `<a href="/bay/"><span aria-hidden="true">→</span></a>`,
  () => `<a href="/bay/"><svg width="20" height="20"><title>The bay</title></svg></a>`,
  () => `<a>No link</a>`,
  () => `<a href="/bay/" aria-labelledby="${unique('nothing')}"></a>`,
  () => {
    const id = unique('name')
    return `<span id="${id}">The bay</span> <a href="/bay/" aria-labelledby="${id}"><i></i></a>`
  },
  () => `<button></button>`,
  () => `<button>Go</button>`,
  () => `<button type="button"><svg width="20" height="20"></svg></button>`,
  () => `<button type="button" aria-label="Close"><svg width="20" height="20"></svg></button>`,
  () => `<button type="button" title="Close"></button>`,
  () => `<div role="button" tabindex="0"></div>`,
  () => `<div role="button" tabindex="0">Go</div>`,
  () => `<input type="submit">`,
  () => `<input type="submit" value="">`,
  () => `<input type="button">`,
  () => `<input type="button" value="Go">`,
  () => `<input type="text" name="q">`,
  () => `<input type="text" name="q" placeholder="Search">`,
  () => `<input type="email" name="mail" title="Mail">`,
  () => `<label>Name <input type="text" name="name"></label>`,
  () => `<label><input type="checkbox" name="ok"></label>`,
  () => `<label><input type="checkbox" name="ok"> I agree</label>`,
  () => {
    const id = unique('field')
    return `<label for="${id}">Mail</label> <input id="${id}" type="email">`
  },
  () => {
    const id = unique('field')
    return `<label for="${id}" style="display:none">Mail</label> <input id="${id}" type="email">`
  },
  () => {
    const id = unique('field')
    return `<label for="${id}"></label> <input id="${id}" type="tel">`
  },
  () => `<input type="hidden" name="token" value="1">`,
  () => `<textarea name="letter"></textarea>`,
  () => `<textarea name="letter" aria-label="Letter"></textarea>`,
  () => `<select name="boat"><option>One</option></select>`,
  () => `<select name="boat" aria-label="Boat"><option>One</option></select>`,
]

const HEADINGS = [
  () => `<h2>${words[0]}</h2>`,
  () => `<h2>${words[1]}</h2><h3>${words[2]}</h3>`,
  () => `<h2>${words[1]}</h2><h4>${words[2]}</h4>`,
  () => `<h3>${words[3]}</h3>`,
  () => `<h5>${words[4]}</h5>`,
  () => `<h2></h2>`,
  () => `<h2><img src="${picture}" width="40" height="40" alt="Letters"></h2>`,
  () => `<h2><span style="display:none">Hidden</span></h2>`,
  () => `<div role="heading" aria-level="2">${words[5]}</div>`,
  () => `<div role="heading" aria-level="5">${words[5]}</div>`,
  () => `<h2 aria-hidden="true">${words[0]}</h2>`,
  () => `<h6 style="display:none">${words[0]}</h6>`,
]

const COLORS = [
  '#767676',
  '#777777',
  '#999',
  '#595959',
  'rgb(120 120 120)',
  'rgba(0,0,0,.4)',
  'rgb(0 0 0 / 60%)',
  'hsl(210 60% 50%)',
  'red',
  'navy',
  'gold',
  'var(--soft)',
  'var(--brand)',
  'var(--none, #aaa)',
  'inherit',
  'currentcolor',
  'color-mix(in srgb, black 40%, white)',
]
const BACKS = [
  '#fff',
  '#000',
  '#f4f0e8',
  'navy',
  'transparent',
  'rgba(0,0,0,.5)',
  'var(--card)',
  'gold',
  '#203040',
  'linear-gradient(#fff, #000)',
  'none',
  'var(--brand)',
]
const SIZES = ['16px', '1rem', '.8em', '24px', '1.5rem', '19px', 'clamp(1rem, 4vw, 2rem)', 'large', '120%']
const WEIGHTS = ['400', 'bold', '700', '500', 'normal']

function texts(random: Random): string {
  const style = [
    `color:${pick(random, COLORS)}`,
    ...(random() < 0.5 ? [`background:${pick(random, BACKS)}`] : []),
    ...(random() < 0.3 ? [`font-size:${pick(random, SIZES)}`] : []),
    ...(random() < 0.2 ? [`font-weight:${pick(random, WEIGHTS)}`] : []),
    ...(random() < 0.08 ? [`opacity:${pick(random, ['.5', '.9', '0', '1'])}`] : []),
  ].join(';')
  const text = pick(random, words)
  return pick(random, [
    () => `<p style="${style}">${text}</p>`,
    () => `<p style="${style}">${text} <b>and more</b> <a href="/x">a link</a></p>`,
    () =>
      `<div style="${style}"><p>${text}</p><p class="${pick(random, ['pale', 'loud', 'soft', 'big'])}">${text}</p></div>`,
    () =>
      `<div class="${pick(random, ['card', 'dark', 'tint'])}"><p style="${style}">${text}</p><span class="pale">${text}</span></div>`,
    () => `<p class="${pick(random, ['pale', 'loud', 'soft', 'big', 'card', 'dark', 'tint'])}">${text}</p>`,
    () => `<button type="button" style="${style}">${text}</button>`,
    () => `<button type="button" disabled style="${style}">${text}</button>`,
    () =>
      `<label style="${style}">${text} <input type="text" value="Typed" style="color:${pick(random, COLORS)}"></label>`,
    () => `<ul class="menu"><li>${text}</li><li class="pale">${text}</li></ul>`,
    () => `<p class="shadow" style="${style}">${text}</p>`,
    () => `<p class="screen-only" style="${style}">${text}</p>`,
    () => `<mark style="color:${pick(random, COLORS)}">${text}</mark>`,
    () => `<small style="${style}">${text}</small>`,
  ])()
}

const IDS = [
  () => `<p id="twice">One</p><p id="twice">Two</p>`,
  () => `<p id="${unique('once')}">One</p>`,
  () => `<span id="named">Boat</span><span id="named">Boat</span><input type="text" aria-labelledby="named">`,
  () => `<div id="">Empty</div><div id="">Empty</div>`,
]

const LANGUAGES = [
  () => `<p lang="de">Guten Tag</p>`,
  () => `<p lang="xyzzy">Nothing</p>`,
  () => `<p lang="en-GB">Hello</p>`,
  () => `<p lang="zz-ZZ">Hello</p>`,
]

const LISTS = [
  () => `<ul><li>One</li><li>Two</li></ul>`,
  () => `<ul><div>One</div></ul>`,
  () => `<ol><li>One</li><p>Two</p></ol>`,
  () => `<ul role="list"><li>One</li></ul>`,
]

const FOCUS = [
  () => `<div aria-hidden="true"><a href="/x">Hidden link</a></div>`,
  () => `<div aria-hidden="true"><a href="/x" tabindex="-1">Hidden link</a></div>`,
  () => `<div aria-hidden="true"><p>Nothing</p></div>`,
]

/** Parts in which styles and names come from afar. */
const HARD: readonly ((random: Random) => string)[] = [
  (random) =>
    `<div style="opacity:.6"><div style="background:#fff"><p style="color:${pick(random, COLORS)}">Under a veil</p></div></div>`,
  () => `<div style="background:linear-gradient(#fff,#eee)"><p style="color:#aaa">On a gradient</p></div>`,
  () =>
    `<div style="background:url(${picture})"><p style="color:#aaa;background:#fff">On paper over a picture</p></div>`,
  (random) =>
    `<div style="position:relative;background:#fff"><span style="position:absolute;color:#bbb;background:${pick(random, ['#fff', '#000'])}">Apart</span></div>`,
  () => `<details><summary>More</summary><p style="color:#ccc">Closed</p></details>`,
  () => `<details open><summary>More</summary><p style="color:#ccc">Opened</p></details>`,
  () => `<dialog><p style="color:#ccc">Not open</p><a href="/x"></a></dialog>`,
  () => `<div style="visibility:hidden"><a href="/x"></a><p style="color:#ccc">Hidden</p></div>`,
  () => `<div style="visibility:hidden"><a href="/x" style="visibility:visible"></a></div>`,
  () => `<div hidden><button type="button"></button></div>`,
  () => `<fieldset disabled><legend>Off</legend><button type="button" style="color:#ccc">Off</button></fieldset>`,
  (random) =>
    `<div style="color:${pick(random, COLORS)}"><p style="color:inherit">Inherited</p><p style="color:initial">Initial</p></div>`,
  () => `<p data-tone="quiet">By attribute</p>`,
  () => `<section class="nested"><div><p>Deep</p></div><p>Child</p></section>`,
  () => `<p class="layered">In layers</p>`,
  () => `<p class="important" style="color:#000">Important</p>`,
  () => `<p style="font:700 19px/1.2 serif;color:#8a8a8a">Bold shorthand</p>`,
  () => `<p style="font-size:calc(1rem + 9px);color:#8a8a8a">Computed</p>`,
  () => `<p style="background:no-repeat #777;color:#fff">Shorthand</p>`,
  () => `<p style="--tone:#bbb;color:var(--tone)">Own variable</p>`,
  () => `<p style="color:var(--loop)">Loop</p>`,
  () => `<p style="color:nonsense">Nonsense</p>`,
  () => `<h2 style="color:#8a8a8a">Large by nature</h2>`,
  () => `<table><tr><th style="color:#999">Head</th><td bgcolor="#cccccc" style="color:#888">Cell</td></tr></table>`,
  () => `<a href="/x" style="color:#9ab">Pale link</a>`,
  () => `<select aria-label="Boat" style="color:#aaa"><option>One</option></select>`,
  () => `<input type="text" aria-label="Name" placeholder="Your name">`,
  () => `<input type="text" aria-label="Name" value="Ada" style="color:#bbb">`,
  () => `<textarea aria-label="Letter" style="color:#bbb">Typed</textarea>`,
  () => `<button type="button"><img src="${picture}" width="20" height="20" alt="Search"></button>`,
  () => `<button type="button"><img src="${picture}" width="20" height="20" alt=""></button>`,
  () => `<a href="/x"><svg aria-label="Home" role="img" width="20" height="20"></svg></a>`,
  () => `<a href="/x" role="button"></a>`,
  () => `<a href="/x" role="none"></a>`,
  () => `<span role="link" tabindex="0"></span>`,
  () => `<iframe src="about:blank" tabindex="-1" width="40" height="20"></iframe>`,
  () => `<iframe src="about:blank" aria-hidden="true" width="40" height="20"></iframe>`,
  () => `<iframe src="about:blank" title="" width="40" height="20"></iframe>`,
  () => `<label>Pick <select><option>One</option></select></label>`,
  () => `<label aria-hidden="true">Silent <input type="text"></label>`,
  () => `<input type="radio" name="r" aria-label=" ">`,
  () => `<input type="range">`,
  () => `<input type="file">`,
  () => `<input type="search" aria-labelledby="missing-one">`,
  () => `<div role="img" title="Boat" style="width:40px;height:40px"></div>`,
  () => `<div role="alert">Saved</div>`,
  () => `<p style="color:#bbb"> </p>`,
  () => `<p style="color:#bbb">→</p>`,
  () => `<p style="color:#fff">White on paper</p>`,
  () => `<p style="position:absolute;left:-9999px;color:#bbb">Far away</p>`,
  () => `<p style="text-indent:-9999px;color:#bbb">Indented</p>`,
  () => `<p style="filter:brightness(.9);color:#bbb">Filtered</p>`,
  () => `<div class="cover"><p style="color:#bbb">Under a cover</p></div>`,
]

/** Four seconds of silence, which browsers load as they load sounds. */
export const silence = () => {
  const samples = 32_000
  const bytes = Buffer.alloc(44 + samples, 128)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(8000, 24)
  bytes.writeUInt32LE(8000, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples, 40)
  return `data:audio/wav;base64,${bytes.toString('base64')}`
}

const SOUNDS = [
  () => `<audio src="${silence()}" autoplay></audio>`,
  () => `<audio src="${silence()}" autoplay controls></audio>`,
  () => `<audio src="${silence()}" controls></audio>`,
  () => `<audio src="${silence()}" autoplay muted></audio>`,
]

// ---------------------------------------------------------------- pages

const STYLE = `
:root{--soft:#8a8a8a;--brand:#6EC1E4;--card:#fffdf8;--deep:#1f4a43}
body{background:#fbfaf7;color:#1f2328;font:16px/1.5 sans-serif}
.pale{color:#aaa}.loud{color:var(--brand)}.soft{color:var(--soft)}.big{font-size:30px;color:#8f8f8f}
.card{background:var(--card);color:var(--deep)}.dark{background:#203040}.tint{background-color:rgb(255 200 0 / .3)}
.card .pale{color:#6b6b6b}.dark>.pale{color:#eee}
.menu li:nth-child(odd){color:#333}.menu li:last-child:not(.menu){background:#fff}
.shadow{text-shadow:0 0 3px #000}
.screen-only{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:600px){.pale{color:#000}}
@media (min-width:600px){.loud{color:#2a7fa5}}
@media (prefers-color-scheme:dark){.soft{color:#fff}}
@supports (color:red){.tint{color:#333}}
[data-tone="quiet"]{color:#9a9a9a}
.nested :is(p,li){color:#909090}.nested>p:first-of-type{color:#222}
@layer base{.layered{color:#000}p.layered{color:#111}}.layered{color:#a0a0a0}
.important{color:#b0b0b0!important}
:root{--loop:var(--loop)}
.cover{position:relative}.cover::before{content:"";position:absolute;inset:0;background:#000}
`

const FRAMES = [
  (main: string) =>
    `<header><p>Quay</p></header><nav><a href="/">Home</a></nav><main>${main}</main><footer><p>End</p></footer>`,
  (main: string) => `<main>${main}</main>`,
  (main: string) => `<div>${main}</div>`,
  (main: string) => `<p>Before</p><main>${main}</main><div><p>After</p><div>Deeper</div></div>`,
  (main: string) => `<a href="#content">Skip</a><header><a href="/">Home</a></header><main id="content">${main}</main>`,
  (main: string) => `<div class="wrap"><div role="banner">Quay</div><main>${main}</main><div>Loose</div></div>`,
  (main: string) => `<div role="main">${main}</div>`,
  (main: string) => `<main>${main}</main><main><p>Second</p></main>`,
  (main: string) => `<header><p>One</p></header><header><p>Two</p></header><main>${main}</main>`,
  (main: string) => `<nav><a href="/">Home</a></nav><nav><a href="/a">Other</a></nav><main>${main}</main>`,
  (main: string) =>
    `<nav aria-label="First"><a href="/">Home</a></nav><nav aria-label="Second"><a href="/a">Other</a></nav><main>${main}</main>`,
  (main: string) => `<main>${main}</main><footer><p>End</p></footer><footer><p>End</p></footer>`,
  (main: string) => `<main><article><header><p>Head</p></header>${main}</article></main><aside><p>Aside</p></aside>`,
  (main: string) =>
    `<main>${main}<section aria-label="Part"><p>Part</p></section><section><p>No name</p></section></main>`,
]

const HTML_TAGS = [
  '<html lang="en">',
  '<html lang="en">',
  '<html lang="de-CH">',
  '<html>',
  '<html lang="">',
  '<html lang="xq-klingon">',
]
const TITLES = ['<title>Quay</title>', '<title>Quay</title>', '<title>Quay</title>', '', '<title> </title>']
const VIEWPORTS = [
  '<meta name="viewport" content="width=device-width">',
  '',
  '<meta name="viewport" content="width=device-width, user-scalable=no">',
  '<meta name="viewport" content="width=device-width, maximum-scale=1">',
  '<meta name="viewport" content="width=device-width, maximum-scale=5">',
]
const TOPS = ['<h1>Quay</h1>', '<h1>Quay</h1>', '<h2>Quay</h2>', '']

function pageOf(seed: number): GeneratedPage {
  const random = randomOf(seed)
  const some = (list: readonly (() => string)[], most: number) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(random, list)())
  const parts = [
    ...some(IMAGES, 3),
    ...some(CONTROLS, 4),
    ...some(HEADINGS, 3),
    ...Array.from({ length: 1 + Math.floor(random() * 5) }, () => texts(random)),
    ...Array.from({ length: Math.floor(random() * 4) }, () => pick(random, HARD)(random)),
    ...some(IDS, 1),
    ...some(LANGUAGES, 1),
    ...some(LISTS, 1),
    ...some(FOCUS, 1),
    ...(random() < 0.3 ? some(SOUNDS, 1) : []),
  ]
  const ordered = parts
    .map((part) => ({ part, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ part }) => part)
  const body = pick(random, FRAMES)(`${pick(random, TOPS)}\n${ordered.map((part) => `<div>${part}</div>`).join('\n')}`)
  const head = `<meta charset="utf-8">${pick(random, TITLES)}${pick(random, VIEWPORTS)}<style>${STYLE}</style>`
  return {
    name: `page ${seed}`,
    html: `<!doctype html>${pick(random, HTML_TAGS)}<head>${head}</head><body>${body}</body></html>`,
  }
}

export const generatedPages = (count: number): readonly GeneratedPage[] => {
  counter = 0
  return Array.from({ length: count }, (_, index) => pageOf(index + 1))
}
