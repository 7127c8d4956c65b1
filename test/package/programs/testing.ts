import { memoryStorage } from 'site-api/storage/memory'
import { type ConformanceCase, conformanceCases, isLacking } from 'site-api/testing'

export const missing = (one: ConformanceCase) => isLacking(memoryStorage(), one)
export const names: readonly string[] = conformanceCases.map(({ name }) => name)
