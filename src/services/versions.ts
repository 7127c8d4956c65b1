/** Compares package versions: `1.10` is newer than `1.9.2`, and `2.0-beta` is older than `2.0`. */

/** Negative if `a` is older than `b`, 0 if they are equal, positive if it is newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = weightOf(left[index]) - weightOf(right[index])
    if (difference !== 0) return difference
    const [leftPart = '', rightPart = ''] = [left[index], right[index]]
    if (Number.isNaN(Number(leftPart)) && leftPart !== rightPart) return leftPart < rightPart ? -1 : 1
  }
  return 0
}

const partsOf = (version: string) => version.toLowerCase().match(/\d+|[a-z]+/g) ?? []

/** A word marks a pre-release. */
const weightOf = (part = '0') => (/^\d/.test(part) ? Number(part) : -1)
