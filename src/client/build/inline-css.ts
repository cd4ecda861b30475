import type { Plugin } from 'vite'

/**
 * Puts the first visit's style sheet into index.html: 20 kB inside the page are cheaper than a request that blocks
 * rendering, and the worker keeps the page anyway. The sheets of lazy chunks stay files and come with them.
 */
export const inlineCss = (): Plugin => ({
  name: 'tideline:inline-css',
  apply: 'build',
  enforce: 'post',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const first = new Set<string>()
      const page = html.replace(
        /(\s*)<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g,
        (_link, space: string, file: string) => {
          const asset = bundle?.[file]
          if (asset?.type !== 'asset') throw new Error(`the style sheet ${file} is not in the bundle`)
          first.add(file)
          return `${space}<style>${String(asset.source)}</style>`
        },
      )
      for (const file of first) delete bundle?.[file]
      // A lazy chunk that shares a module with the first ones would ask for their sheet again.
      for (const output of Object.values(bundle ?? {}))
        if (output.type === 'chunk') for (const file of first) output.viteMetadata?.importedCss.delete(file)
      return page
    },
  },
})
