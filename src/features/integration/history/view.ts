/** Describes the difference of a record, for the routes of several features. */
export { differenceMembers } from './args.ts'
export { differenceOf, type RecordDifference } from './difference/index.ts'
