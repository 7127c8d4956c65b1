/** The types and values that a storage of a host is written with. */
import { compareText, fold, type PostQuery, rank, type Storage, StorageConflict, StorageRetry } from 'site-api/storage'

export const isEmptyQuery = ({ types, limit }: PostQuery): boolean => types.length === 0 || limit === 0
export const foldedOrder = (a: string, b: string): number => compareText(fold(a), fold(b))
export const errors = [new StorageConflict('slug').field, new StorageRetry('deadlock').code]
export const best: number = rank({ title: 'tide', excerpt: '', content: '' }, 'tide', ['tide'])
export const close = (storage: Storage) => storage.close?.()
