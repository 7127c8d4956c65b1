/** Imports a module as the package does that is installed beside this file: by the conditions of an import, from its folder. */
export const load = (from) => import(from)
