/** Judges links, buttons and fields: each has a name. */

import { attributeOf, type Element, hasAttribute } from '../page/dom.ts'
import { isFocusable, isPresentation, labelsOf, labelText, nameByAria, textOf, titleOf } from '../page/names.ts'
import type { Page } from '../page/page.ts'
import { attribute, type Found, pathOf, type Rule, wordsOfAddress } from './rule.ts'

const roleOf = (element: Element): string => attributeOf(element, 'role')?.trim().split(/\s+/)[0] ?? ''
const typeOf = (element: Element): string => (attributeOf(element, 'type') ?? '').trim().toLowerCase()

const isNamed = (element: Element, page: Page): boolean =>
  nameByAria(element, page) !== '' || titleOf(element) !== '' || textOf(element, page) !== ''

const wanted = (page: Page, isWanted: (element: Element) => boolean): readonly Element[] =>
  page.elements.filter((element) => isWanted(element) && !page.isSilent(element))

/** The rule is left to others where the element only decorates. */
const isOut = (element: Element): boolean => isPresentation(element) && !isFocusable(element)

const found = (rule: Rule, page: Page, element: Element, message: string, name: string): Found => ({
  element,
  message,
  proposal: attribute(rule, pathOf(element, page), 'aria-label', name),
})

const link: Rule = {
  ...{ id: 'link-name', group: 'keyboardAssistiveTech', category: 'A' },
  find: (page) =>
    wanted(page, (one) => one.tagName === 'a' && hasAttribute(one, 'href'))
      .filter((one) => !isOut(one) && !isNamed(one, page))
      .map((one) =>
        found(link, page, one, 'The link has no name.', wordsOfAddress(attributeOf(one, 'href') ?? '') || 'Link'),
      ),
}

const button: Rule = {
  ...{ id: 'button-name', group: 'keyboardAssistiveTech', category: 'A' },
  find: (page) =>
    wanted(page, (one) => one.tagName === 'button')
      .filter((one) => !isOut(one) && !isNamed(one, page) && labelText(one, page) === '')
      .map((one) => found(button, page, one, 'The button has no name.', 'Button')),
}

const command: Rule = {
  ...{ id: 'aria-command-name', group: 'keyboardAssistiveTech', category: 'A' },
  find: (page) =>
    wanted(page, (one) => ['button', 'link', 'menuitem'].includes(roleOf(one)) && !isNativeCommand(one))
      .filter((one) => !isNamed(one, page))
      .map((one) => found(command, page, one, `The element with the role ${roleOf(one)} has no name.`, 'Button')),
}

/** Other rules judge these, whatever role they have. */
const isNativeCommand = (one: Element): boolean =>
  /^(?:button|input)$/.test(one.tagName) || (one.tagName === 'a' && hasAttribute(one, 'href'))

const inputButton: Rule = {
  ...{ id: 'input-button-name', group: 'formsInputsError', category: 'A' },
  find: (page) =>
    wanted(page, (one) => one.tagName === 'input' && ['button', 'submit', 'reset'].includes(typeOf(one)))
      .filter((one) => {
        const value = attributeOf(one, 'value')
        const hasText = value === undefined ? typeOf(one) !== 'button' : value.trim() !== ''
        return (
          !hasText && nameByAria(one, page) === '' && titleOf(one) === '' && labelText(one, page) === '' && !isOut(one)
        )
      })
      .map((one) => found(inputButton, page, one, 'The button has no name.', 'Send')),
}

/** Types of inputs that other rules judge, or that readers do not fill in. */
const NO_FIELDS: ReadonlySet<string> = new Set(['hidden', 'image', 'button', 'submit', 'reset'])

/** `placeholder`: axe-core takes it for a name. */
const isLabelled = (one: Element, page: Page): boolean =>
  nameByAria(one, page) !== '' ||
  titleOf(one) !== '' ||
  (one.tagName !== 'select' && (attributeOf(one, 'placeholder') ?? '').trim() !== '') ||
  labelText(one, page) !== ''

const proposedLabel = (one: Element): string => {
  const words = wordsOfAddress(
    (attributeOf(one, 'name') ?? attributeOf(one, 'id') ?? '').replace(/\[\]$|^form_fields\[|\]$/g, ''),
  )
  return words || 'Field'
}

const fieldRule = (id: string, isField: (element: Element) => boolean): Rule => {
  const rule: Rule = {
    ...{ id, group: 'formsInputsError', category: 'A' },
    find: (page) =>
      wanted(page, (one) => isField(one) && !isOut(one))
        .filter((one) => !isLabelled(one, page) || onlyHiddenLabel(one, page))
        .map((one) => found(rule, page, one, 'The field has no label.', proposedLabel(one))),
  }
  return rule
}

/** A hidden label does not name its field, whatever else does. */
const onlyHiddenLabel = (one: Element, page: Page): boolean => {
  const explicit = page.labelsFor(attributeOf(one, 'id') ?? '')[0]
  return (
    explicit !== undefined &&
    page.isHidden(explicit) &&
    nameByAria(one, page) === '' &&
    titleOf(one) === '' &&
    labelsOf(one, page).length === 1
  )
}

const label = fieldRule(
  'label',
  (one) => (one.tagName === 'input' && !NO_FIELDS.has(typeOf(one))) || one.tagName === 'textarea',
)
const select = fieldRule('select-name', ({ tagName }) => tagName === 'select')

export const controlRules: readonly Rule[] = [link, button, command, inputButton, label, select]
