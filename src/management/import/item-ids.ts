/** The storage ids of imported items, by guid and by their number in the file. */
import type { MappedItem } from './map.ts'

export interface ItemIds {
  ofGuid(guid: string): number | undefined
  ofNumber(number: number): number | undefined
  /** Notes an item of the file that is stored. */
  note(item: MappedItem, id: number): void
  /** Notes an item of an earlier import. `sites` are the URLs of the exported site. */
  remember(guid: string, id: number, sites: readonly string[]): void
}

export function createItemIds(): ItemIds {
  const byGuid = new Map<string, number>()
  const byNumber = new Map<number, number>()
  return {
    ofGuid: (guid) => byGuid.get(guid),
    ofNumber: (number) => byNumber.get(number),
    note({ guid, number }, id) {
      byGuid.set(guid, id)
      if (number > 0) byNumber.set(number, id)
    },
    remember(guid, id, sites) {
      byGuid.set(guid, id)
      const [number = '', address = ''] = guid.split(' ', 2)
      if (sites.some((site) => site !== '' && address.startsWith(site))) byNumber.set(Number(number), id)
    },
  }
}
