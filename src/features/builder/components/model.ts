/** What the documents of the page builder share with components. */
export {
  componentType,
  componentUids,
  findComponents,
  idsOfComponents,
  modifiedNow,
  openDrafts,
  propsOfComponents,
} from './records.ts'
export { titlesInUse, validateElements, validateTitle } from './validation.ts'
export { createComponents, publishComponents } from './write.ts'
