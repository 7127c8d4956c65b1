/**
 * The header of clients that write through one process and read through another: a response to a write has it where the storage
 * reads from replicas, and a client that sends it back reads what it wrote.
 */
import type { Names } from '../../names/word-map.ts'

export const positionHeader = (names: Pick<Names, 'toPublic'>): string => names.toPublic('X-CMS-Position')
