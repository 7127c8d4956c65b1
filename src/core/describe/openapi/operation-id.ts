/** `getCmsV2PostsById`: method and path as an identifier, stable as long as the route is. */

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
