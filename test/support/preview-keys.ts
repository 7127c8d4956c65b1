/** Takes the signatures out of the addresses of previews: each site has another key. */
export const withoutPreviewKeys = (text: string): string => text.replace(/(preview=\d+\.[0-9a-z]+\.)[\w-]{43}/g, '$1')
