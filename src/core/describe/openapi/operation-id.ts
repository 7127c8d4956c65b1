/** `getCmsV2PostsById`: method and path in one word, so that it stays what it is as long as the route does. */

export function operationId(method: string, path: string): string {
  const words = path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (segment.startsWith('{') ? `By${pascalCase(segment)}` : pascalCase(segment)))
  return method.toLowerCase() + (words.join('') || 'Index')
}

export const pascalCase = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
