import type { Plugin, Rolldown } from 'vite'

/**
 * Puts the first visit's style sheet into index.html, and that of the chunk of the first screen: 20 kB inside the page
 * are cheaper than a request that blocks rendering, and the worker keeps the page anyway. The sheets of other lazy chunks
 * stay files and come with them. Throws when the build has no such chunk.
 */
export function inlineCss({ with: screen }: { with: string }): Plugin {
  return {
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
            return `${space}<style>${String(asset.source)}${screenCss(bundle, screen, first)}</style>`
          },
        )
        if (first.size === 0) throw new Error('index.html names no style sheet')
        for (const file of first) delete bundle?.[file]
        // A lazy chunk that shares a module with the first ones would ask for their sheet again.
        for (const output of Object.values(bundle ?? {}))
          if (output.type === 'chunk') for (const file of first) output.viteMetadata?.importedCss.delete(file)
        return page
      },
    },
  }
}

function screenCss(bundle: Rolldown.OutputBundle | undefined, screen: string, first: Set<string>): string {
  const chunk = Object.values(bundle ?? {}).find(output => output.type === 'chunk' && output.name === screen)
  if (chunk?.type !== 'chunk') throw new Error(`the build has no chunk named ${screen}`)
  return [...(chunk.viteMetadata?.importedCss ?? [])]
    .map(file => {
      first.add(file)
      const asset = bundle?.[file]
      return asset?.type === 'asset' ? String(asset.source) : ''
    })
    .join('')
}
