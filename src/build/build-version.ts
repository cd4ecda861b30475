import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/** The name of the file beside index.html that says which build it is. */
export const versionFile = 'version.json'

/**
 * Names the build after what is in it: in index.html for the client itself, and in a file for the server, which says when a
 * client is of another build. The same sources give the same name. Throws when the build has no page.
 */
export function buildVersion(): Plugin {
  return {
    name: 'tideline:build-version',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('the build has no index.html')
        const html = String(page.source)
        // The names of the files carry the hashes of what is in them.
        const names = Object.keys(bundle).toSorted().join('\n')
        const build = createHash('sha256').update(`${names}\n${html}`).digest('hex').slice(0, 12)
        page.source = html.replace('<head>', `<head>\n    <meta name="build" content="${build}" />`)
        this.emitFile({ type: 'asset', fileName: versionFile, source: JSON.stringify({ build }) })
      },
    },
  }
}
