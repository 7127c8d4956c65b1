/**
 * Draws elements: selects the function for each type, and enforces limits, display conditions and the isolation of failures.
 */
import { isApiError } from '../../../core/declare/errors.ts'
import { type Element, readElement } from '../document/element.ts'
import { limits } from '../document/limits.ts'
import type { Child } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { isShown } from './display-conditions.ts'

/** Draws the elements of a document or the children of an element. */
export function drawElements(values: readonly unknown[], scope: Scope, pass: Pass): Child {
  if (values.length === 0) return undefined
  if (scope.depth >= limits.depth) {
    pass.warnings.add('too_deep')
    return undefined
  }
  return values.map((value) => drawElement(value, scope, pass))
}

export function drawElement(value: unknown, scope: Scope, pass: Pass): Child {
  const element = readElement(value)
  return element && drawReadElement(element, scope, pass)
}

export function drawReadElement(element: Element, scope: Scope, pass: Pass): Child {
  if (!pass.admit()) return undefined
  try {
    return isShown(element, pass, scope) ? pass.tables.elementType(element)(element, scope, pass) : undefined
  } catch (error) {
    // An ApiError ends the whole render: a limit, not this element, caused it.
    if (isApiError(error)) throw error
    pass.warnings.add('element_failed', element.id)
    return undefined
  }
}

/** Returns the scope of the children of an element. */
export const inside = (scope: Scope): Scope => ({ ...scope, depth: scope.depth + 1 })
