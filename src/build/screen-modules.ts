import type { Plugin } from 'vite'

interface ScreenModules {
  entry: RegExp
  page: RegExp
}

/**
 * Knows which modules a screen imports, and so on down. For a group of the bundler, which otherwise cuts what several
 * screens share into dozens of files of a few hundred bytes each, fetched one after the other. Of a library that every page
 * may use, only what is used there is known to the bundler, so its parts are left to it. Throws when there is no such page.
 */
export function screenModules({ entry, page }: ScreenModules): { plugin: Plugin; has: (id: string) => boolean } {
  const collected = new Set<string>()
  return {
    has: id => collected.has(id),
    plugin: {
      name: 'tideline:screen-modules',
      apply: 'build',
      buildEnd() {
        const reach = (id: string, seen: Set<string>): Set<string> => {
          if (seen.has(id)) return seen
          seen.add(id)
          for (const next of this.getModuleInfo(id)?.importedIds ?? []) reach(next, seen)
          return seen
        }
        const from = (pattern: RegExp): Set<string> => {
          const ids = [...this.getModuleIds()].filter(id => pattern.test(id))
          if (ids.length === 0) throw new Error(`no module is called ${pattern}`)
          return ids.reduce((seen, id) => reach(id, seen), new Set<string>())
        }
        const everywhere = from(entry)
        for (const id of from(page)) if (isOurs(id) || !everywhere.has(id)) collected.add(id)
      },
    },
  }
}

const isOurs = (id: string): boolean => id.includes('/src/') && !id.includes('/node_modules/')
