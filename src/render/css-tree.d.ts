/** The file of the package that needs no other file: its main module reads data from disk, which workerd has not. */
declare module 'css-tree/dist/csstree.esm' {
  export * from 'css-tree'
}
