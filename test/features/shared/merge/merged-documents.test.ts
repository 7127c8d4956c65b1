/** Merges of random edits, compared with the same edits carried out one after the other. */
import { expect, test } from 'vitest'
import { equalJson } from '../../../../src/contract/equal-json.ts'
import { mergedValue } from '../../../../src/features/shared/merge/values.ts'
import type { Versions } from '../../../../src/features/shared/merge/versions.ts'
import { casesOf } from '../../../support/generated-cases.ts'
import { all, createPick, type Element, edited, parentsOf, randomDocument, randomEdits } from './random-documents.ts'

// No storage has a part in it.
const isFirst = process.env['TEST_STORAGE'] === 'memory'

const merge = (base: Element[], mine: Element[], theirs: Element[]) => {
  const { value, conflicts } = mergedValue(JSON.parse(JSON.stringify({ base, mine, theirs })), 'elements')
  return { document: value as unknown as Element[], conflicts }
}
const cases = casesOf(10_000, 1 / 20)

type Merge = ReturnType<typeof merge>
/** Without the order of what both add at one place, which is that of the sides. */
const byId = (document: Element[]) =>
  Object.fromEntries(
    all(document).map(({ id, settings: { classes, ...settings } }) => {
      const { value } = classes as { readonly value: readonly string[] }
      return [id, { ...settings, classes: value.toSorted() }]
    }),
  )

test.runIf(isFirst)(
  'random edits of two: merged as carried out in either order, and no element is lost or doubled',
  () => {
    let commuting = 0
    const wrong: string[] = []
    for (let seed = 1; seed <= cases; seed++) {
      const pick = createPick(seed)
      const base = randomDocument(pick)
      const [a, b] = [randomEdits(base, pick, 'm'), randomEdits(base, pick, 't')]
      const merged = merge(base, a.after, b.after)
      wrong.push(...lossesOf(merged, { base, mine: a.after, theirs: b.after }).map((text) => `seed ${seed}: ${text}`))
      if (!isSameOtherwise(merged, merge(base, b.after, a.after))) wrong.push(`seed ${seed}: the sides count`)
      const [first, second] = [edited(base, [...a.edits, ...b.edits]), edited(base, [...b.edits, ...a.edits])]
      if (!first || !equalJson(first, second)) continue
      commuting++
      const isRight = merged.conflicts.length === 0 && equalJson(merged.document, first)
      if (!isRight) wrong.push(`seed ${seed}: ${JSON.stringify(merged.conflicts)}`)
    }
    expect(wrong).toEqual([])
    expect(commuting).toBeGreaterThan(cases / 2)
  },
)

/** An element is lost where both have it, where one has added it, and where both had a say about it. */
function lossesOf({ document, conflicts }: Merge, versions: Versions<Element[]>): string[] {
  const ids = all(document).map(({ id }) => id)
  const kept = new Set(ids)
  const [was, mine, theirs] = [versions.base, versions.mine, versions.theirs].map(
    (one) => new Set(all(one).map(({ id }) => id)),
  ) as [Set<string>, Set<string>, Set<string>]
  const doubled = kept.size < ids.length ? ['doubled'] : []
  const lost = [...new Set([...mine, ...theirs])].filter(
    (id) => (mine.has(id) && theirs.has(id) ? true : !was.has(id)) && !kept.has(id),
  )
  const disputed = conflicts.flatMap(({ member }) => /^elements\[(\w+)\]/.exec(member)?.[1] ?? [])
  const came = ids.filter((id) => !mine.has(id) && !theirs.has(id))
  return [...doubled, ...lost, ...disputed.filter((id) => !kept.has(id)), ...came]
}

/** The sides change places: only the order of what both have added at one place depends on them. */
function isSameOtherwise(a: Merge, b: Merge): boolean {
  if (a.conflicts.length > 0 || b.conflicts.length > 0) return a.conflicts.length > 0 && b.conflicts.length > 0
  return (
    equalJson([...parentsOf(a.document)].sort(), [...parentsOf(b.document)].sort()) &&
    equalJson(byId(a.document), byId(b.document))
  )
}

const element = (id: string, settings: object = {}, elements: object[] = []) => ({
  id,
  elType: 'container',
  settings,
  elements,
})
const one = (base: unknown, mine: unknown, theirs: unknown) =>
  mergedValue(JSON.parse(JSON.stringify({ base, mine, theirs })), '')

test.runIf(isFirst)('documents of 2,000 elements merge, in one list and each inside the one before', () => {
  const flat = (name: string) =>
    Array.from({ length: 2000 }, (_, at) =>
      element(`e${at}`, at % 2 === (name === 'm' ? 0 : 1) ? { size: name } : { size: '' }),
    )
  const base = flat('').map(({ id }) => element(id, { size: '' }))
  const merged = one(base, flat('m').reverse(), flat('t'))
  expect(merged.conflicts).toEqual([])
  expect((merged.value as { settings: { size: string } }[]).map(({ settings }) => settings.size).join('')).toBe(
    'tm'.repeat(1000),
  )

  const deep = (inner: object[], name: string) =>
    Array.from({ length: 2000 }).reduce<object[]>(
      (elements, _, at) => [element(`d${at}`, { size: at === 1999 ? name : '' }, elements)],
      inner,
    )
  const nested = mergedValue({ base: deep([], ''), mine: deep([element('m')], ''), theirs: deep([], 't') } as never, '')
  expect(nested.conflicts).toEqual([])
  const ids: string[] = []
  for (let at = nested.value as unknown as Element[]; at[0]; at = at[0].elements)
    ids.push(`${at[0].id}${at[0].settings['size'] ?? ''}`)
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([2001, 'd1999t', 'm'])
})

test.runIf(isFirst)('what both have changed is disputed, and stays as theirs has it', () => {
  const row = (...inner: object[]) => [element('row', { gap: 1 }, inner), element('side')]
  const base = row(element('a', { title: 'Low' }), element('b'))

  const settings = one(
    base,
    row(element('a', { title: 'Ebb', color: '#111' }), element('b')),
    row(element('a', { title: 'Flow' }), element('b')),
  )
  expect(settings.conflicts).toEqual([{ member: '[a].settings.title', base: 'Low', mine: 'Ebb', theirs: 'Flow' }])
  expect(all(settings.value as never).find(({ id }) => id === 'a')?.settings).toEqual({ title: 'Flow', color: '#111' })

  const removed = one(base, row(element('b')), row(element('a', { title: 'Flow' }), element('b')))
  expect(removed.conflicts.map(({ member, mine }) => [member, mine])).toEqual([['[a]', null]])
  expect(removed.value).toEqual(row(element('a', { title: 'Flow' }), element('b')))

  const gone = one(base, [element('side')], row(element('a', { title: 'Low' }), element('b', {}, [element('new')])))
  expect(gone.conflicts.map(({ member }) => member)).toEqual(['[b]'])
  expect(gone.value).toEqual([element('row', { gap: 1 }, [element('b', {}, [element('new')])]), element('side')])

  const moved = one(
    base,
    [element('row', { gap: 1 }, [element('b')]), element('side', {}, [element('a', { title: 'Low' })])],
    [...row(element('b')), element('a', { title: 'Low' })],
  )
  expect(moved.conflicts.map(({ member }) => member)).toEqual(['[a].place'])
  expect(
    all(moved.value as never)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['a', 'b', 'row', 'side'])

  const into = one([element('p'), element('q')], [element('q', {}, [element('p')])], [element('p', {}, [element('q')])])
  expect(into.conflicts.map(({ member }) => member)).toEqual(['[p].place'])
  expect(into.value).toEqual([element('p', {}, [element('q')])])
})

test.runIf(isFirst)('texts merge by word, and tags still enclose each other', () => {
  const base = '<p>Low water at six in the <b>morning</b>, then the boats leave.</p>'
  const text = (mine: string, theirs: string) => one(base, mine, theirs)
  expect(text(base.replace('six', 'seven'), base.replace('boats', 'ferries')).value).toBe(
    '<p>Low water at seven in the <b>morning</b>, then the ferries leave.</p>',
  )
  expect(text(base.replace('six', 'seven'), base.replace('six', 'eight')).conflicts).toHaveLength(1)
  const [wide, far] = [
    base.replace('water', '<i>water').replace('the boats', 'the</i> boats'),
    base.replace('in the', '<u>in the').replace('leave', 'leave</u>'),
  ]
  expect(text(wide, far).conflicts).toHaveLength(1)
  for (const [a, b, c] of [
    ['rgb(0, 0, 0)', 'rgb(9, 0, 0)', 'rgb(0, 0, 9)'],
    ['1px solid red', '2px solid red', '1px solid blue'],
    ['/a/b.jpg', '/c/b.jpg', '/a/c.jpg'],
  ]) {
    expect(one(a, b, c).conflicts, a).toHaveLength(1)
  }
})

test.runIf(isFirst)('lists merge as sets or by id, and a value with a unit is one', () => {
  expect(one([1, 2, 3], [1, 3, 4], [1, 2, 3, 5]).value).toEqual([1, 3, 5, 4])
  expect(
    one(
      [['include', 'general']],
      [
        ['include', 'general'],
        ['exclude', 'page'],
      ],
      [],
    ).value,
  ).toEqual([['exclude', 'page']])
  expect(
    one({ gap: { unit: 'px', size: 1 } }, { gap: { unit: 'em', size: 1 } }, { gap: { unit: 'px', size: 2 } }).conflicts,
  ).toHaveLength(1)
  expect(one('{"a":1,"b":1}', '{"a":2,"b":1}', '{"a":1,"b":2}').value).toBe('{"a":2,"b":2}')
  expect(one([{ size: 1 }], [{ size: 2 }], [{ size: 3 }]).conflicts).toHaveLength(1)
  const hostile = one(
    JSON.parse('{"__proto__":{"x":1}}'),
    JSON.parse('{"__proto__":{"x":2},"a":1}'),
    JSON.parse('{"__proto__":{"x":1},"b":1}'),
  )
  expect(JSON.stringify(hostile.value)).toBe('{"__proto__":{"x":2},"b":1,"a":1}')
  expect(({} as { x?: number }).x).toBeUndefined()
})
