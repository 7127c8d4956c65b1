/** The codes of the checks. */
import { expect, test } from 'vitest'
import { ownCodes } from '../../../../src/features/integration/checks/model.ts'
import { ownChecks } from '../../../../src/features/integration/checks/rules/index.ts'

test('the table has the codes that the option knows', () => {
  expect(ownChecks.map(({ code }) => code)).toEqual(ownCodes)
})
