/** Translates class names and ids in rendered builder documents to their public form. */
import type { NameMap } from './word-map.ts'

/** Class names of images and captions; the rest of the words with this start belongs to blocks. */
const CONTENT_CLASS = /^cms-(?:caption(?:-text)?|image-\d+)$/
const BUILDER_NAME = /^builder(?=-|$)/

/** Translates names that the engine wrote, and returns other names unchanged. */
export function publicNames(map: NameMap = []): (name: string) => string {
  const start = (neutral: string) => map.find(([one]) => one === neutral)?.[1]
  const builder = start('builder_')?.replace(/_$/, '') ?? 'builder'
  const cms = start('cms-block-')?.replace(/block-$/, '') ?? 'cms-'
  return (name) => {
    if (BUILDER_NAME.test(name)) return builder + name.slice('builder'.length)
    return CONTENT_CLASS.test(name) ? cms + name.slice('cms-'.length) : name
  }
}
