import { createHash } from 'node:crypto'
import { build, type Plugin, type Rolldown } from 'vite'

interface EarlyScript {
  /** The program, from the project's folder. */
  entry: string
  /** Name of the chunk that the first screen needs beyond what every page loads. */
  screen: string
  /** The program that draws the first screen by itself, and the files that stand in for libraries in it. */
  draw: { entry: string; standIns: Readonly<Record<string, string>> }
}

/**
 * Builds a small program apart from the app and puts it into index.html, so that it runs before anything else is fetched;
 * as a file it arrived with the last byte of the app. The server allows it by its hash. It knows the files of the first
 * screen's chunk as FIRST_SCREEN, and those of the app as APP, its program first: the page itself neither loads nor starts
 * them. It may load DRAW_FIRST, which is built apart from the app too. As soon as #root is there, the page calls
 * tidelineRootParsed, and nothing is painted before. Throws when the build has no such chunk.
 */
export function earlyScript({ entry, screen, draw }: EarlyScript): Plugin {
  let root = ''
  let program = ''
  let app = ''
  return {
    name: 'tideline:early-script',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    async generateBundle(_options, bundle) {
      const chunk = Object.values(bundle).find(output => output.type === 'chunk' && output.name === screen)
      if (chunk?.type !== 'chunk') throw new Error(`the build has no chunk named ${screen}`)
      const main = Object.values(bundle).find(output => output.type === 'chunk' && output.isEntry)
      if (main?.type !== 'chunk') throw new Error('the build has no entry')
      app = main.fileName
      const source = await programOf(root, draw.entry, { format: 'es', standIns: draw.standIns })
      const fileName = `assets/first-screen-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName, source })
      const constants = { FIRST_SCREEN: filesOf(bundle, chunk), APP: filesOf(bundle, main), DRAW_FIRST: `/${fileName}` }
      program = (await programOf(root, entry, { format: 'iife', constants })).trim()
      if (program.includes('</script')) throw new Error(`${entry} would end its own element`)
    },
    transformIndexHtml: {
      order: 'post',
      handler: html => {
        const started = new RegExp(`\\s*<script type="module"[^>]* src="/${app}"></script>`)
        const end = '<noscript>'
        for (const needed of [started, '<title>', end])
          if (html.search(needed) < 0) throw new Error(`index.html has no ${needed}`)
        return (
          html
            .replace(started, '')
            .replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, '')
            // Before whatever the page loads, and after what says how to read it.
            .replace(
              '<title>',
              title =>
                `<script>${program}</script>\n    <link rel="expect" href="#end" blocking="render">\n    ${title}`,
            )
            .replace(end, `<script>tidelineRootParsed()</script>\n    <noscript id="end">`)
        )
      },
    },
  }
}

// With all that it imports: found out file by file, each would take a round trip.
function filesOf(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk, files: string[] = []): string[] {
  const file = `/${chunk.fileName}`
  if (files.includes(file)) return files
  files.push(file)
  for (const next of chunk.imports.map(name => bundle[name])) if (next?.type === 'chunk') filesOf(bundle, next, files)
  return files
}

interface Program {
  format: 'es' | 'iife'
  constants?: Readonly<Record<string, unknown>>
  standIns?: Readonly<Record<string, string>>
}

async function programOf(root: string, entry: string, { format, constants = {}, standIns = {} }: Program) {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
    resolve: {
      alias: Object.entries(standIns).map(([name, file]) => ({
        find: new RegExp(`^${name}$`),
        replacement: `/${file}`,
      })),
    },
    plugins: [withoutLazyParts],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { format, codeSplitting: false },
        // Only what is used: the rules' other functions and their libraries have no effect of their own.
        treeshake: {
          moduleSideEffects: [
            { test: new RegExp(entry.replace(/^src\//, '')), sideEffects: true },
            { test: /./, sideEffects: false },
          ],
        },
      },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error(`${entry} was not built`)
  return output.output[0].code
}

// A program in one file would otherwise contain every part that the app loads later.
const withoutLazyParts: Plugin = {
  name: 'tideline:without-lazy-parts',
  resolveDynamicImport: id => ({ id: String(id), external: true }),
}
