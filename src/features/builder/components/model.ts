/** Components share these rules with the documents of the page builder. */
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
