import type { Plugin } from 'vite'

/**
 * Puts the style sheet into index.html: 20 kB inside the page are cheaper than a request that blocks rendering, and
 * the worker keeps the page anyway. Needs `cssCodeSplit: false`, or lazy chunks would ask for the removed file.
 */
export const inlineCss = (): Plugin => ({
  name: 'tideline:inline-css',
  apply: 'build',
  enforce: 'post',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      return html.replace(/\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (_link, file: string) => {
        const asset = bundle?.[file]
        if (asset?.type !== 'asset') throw new Error(`the style sheet ${file} is not in the bundle`)
        delete bundle?.[file]
        return `<style>${String(asset.source)}</style>`
      })
    },
  },
})
