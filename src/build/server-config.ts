import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** The programs that run for long, and the thread of the embedded database, which finds itself beside them. */
const programs = {
  server: 'src/main/server.ts',
  worker: 'src/main/worker.ts',
  'pglite-worker': 'src/server/db/pglite-worker.ts',
}
const outDir = 'dist/server'

/**
 * The server as few files, built by `npm run build`: a process that reads its libraries from thousands of files keeps
 * 20 MB of their texts, comments included. Names stay as they are written, so that stack traces can be read; the maps
 * beside the files lead each line back to its source.
 */
export default defineConfig({
  publicDir: false,
  plugins: [withMigrations()],
  ssr: {
    noExternal: true,
    // A native part, a database that reads its own files, and a library that reads its fonts' tables.
    external: ['@node-rs/argon2', '@electric-sql/pglite', 'sharp', 'pdfkit'],
  },
  build: {
    ssr: true,
    outDir,
    target: 'node24',
    sourcemap: true,
    emptyOutDir: true,
    rolldownOptions: {
      input: programs,
      output: {
        // Flat, like the folders of the sources it reads its neighbors from: src/main is as deep as dist/server.
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // V8 keeps a text with a single character beyond Latin-1 at two bytes a character.
        charset: 'ascii',
        sourcemapExcludeSources: true,
        comments: false,
        minify: { compress: { keepNames: { function: true, class: true } }, mangle: false, codegen: true },
      },
    },
  },
})

function withMigrations(): Plugin {
  return {
    name: 'tideline:migrations',
    writeBundle: ({ dir = outDir }) => cp('src/server/db/migrations', join(dir, 'migrations'), { recursive: true }),
  }
}
