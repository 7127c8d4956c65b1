/** Versions of packages by their numbers: `1.10` is newer than `1.9.2`, and `2.0-beta` is older than `2.0`. */

/** Negative: the first is older; 0: neither is; positive: it is newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = weightOf(left[index]) - weightOf(right[index])
    if (difference !== 0) return difference
    const [one = '', other = ''] = [left[index], right[index]]
    if (Number.isNaN(Number(one)) && one !== other) return one < other ? -1 : 1
  }
  return 0
}

const partsOf = (version: string) => version.toLowerCase().match(/\d+|[a-z]+/g) ?? []

/** A word names something that comes before the release. */
const weightOf = (part = '0') => (/^\d/.test(part) ? Number(part) : -1)
