/** Fetches and compiles modules that are going to be imported; `files` are addresses on this origin. */
export function loadAhead(files: readonly string[]): void {
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = file
    document.head.append(link)
  }
}
