import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { buildVersion } from './src/build/build-version.ts'
import { earlyScript } from './src/build/early-script.ts'
import { iconSplit } from './src/build/icon-split.ts'
import { inlineCss } from './src/build/inline-css.ts'
import { ionicSplit } from './src/build/ionic-split.ts'
import { precompress } from './src/build/precompress.ts'
import { screenModules } from './src/build/screen-modules.ts'
import { webManifest } from './src/build/web-manifest.ts'

// In development the page comes from here and every call goes on to the server.
const api = { target: process.env.TIDELINE_API ?? `http://localhost:${process.env.PORT ?? 8080}`, changeOrigin: false }

// Most visits begin there.
const home = screenModules({ entry: /src\/main\/client\.tsx$/, page: /home\/client\/home-page\.tsx$/ })
// The first tap leads there most often.
const campaigns = screenModules({
  entry: /src\/main\/client\.tsx$/,
  page: /campaigns\/client\/list\/campaigns-page\.tsx$/,
})
// A link in a mail leads to these, on a device that has nothing of the app yet.
const linked = screenModules({
  entry: /src\/main\/client\.tsx$/,
  page: /client\/(login|register|password|verify-email|invitation|unsubscribe|keep-account)-pages?\.tsx$/,
})
const isIonic = /ionic:|node_modules\/(@ionic|@stencil|ionicons)\//
const isOfCampaigns = (id: string) => campaigns.has(id) && !isIonic.test(id)

// Of these the program of the first screen needs what a component uses while it is drawn for the first time.
const standIns = {
  react: 'src/client/early/static/markup.ts',
  'react/jsx-runtime': 'src/client/early/static/markup.ts',
  '@tanstack/react-router': 'src/client/early/static/libraries.tsx',
  '@tanstack/react-query': 'src/client/early/static/libraries.tsx',
  '@tanstack/react-store': 'src/client/early/static/libraries.tsx',
}

export default defineConfig({
  plugins: [
    iconSplit(),
    ionicSplit(),
    react(),
    home.plugin,
    campaigns.plugin,
    linked.plugin,
    earlyScript({ entry: 'src/main/early.ts', screen: 'home', draw: { entry: 'src/main/first-screen.tsx', standIns } }),
    inlineCss({ with: 'home' }),
    buildVersion(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/main',
      filename: 'service-worker.ts',
      registerType: 'prompt',
      // Registered by src/client/pwa in idle time, so that no inline script is needed.
      injectRegister: false,
      // A later visit starts with a copy of its screen.
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg}', 'icon-192.png'],
        globIgnores: ['**/first-screen-*'],
      },
      manifest: webManifest,
    }),
    precompress(),
  ],
  server: { proxy: { '/api': api, '/healthz': api, '/readyz': api } },
  build: {
    outDir: 'dist/client',
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What changes with our libraries, and what changes with us; a phone's first visit waits for each file. Of Ionic only
            // what the first route needs: every other component stays with its route.
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack|use-sync-external-store|seroval)|@ionic|@stencil|@lit\/react|ionic:|rolldown\/runtime/,
              tags: ['$initial'],
            },
            { name: 'client', test: /./, tags: ['$initial'] },
            // What it shares with every page has been taken by those before.
            { name: 'home', test: home.has, includeDependenciesRecursively: false },
            // What most pages need of Ionic, what those of a mail need, what Campaigns shares with other pages, and the rest of Campaigns.
            { name: 'ionic', test: isIonic, minShareCount: 6 },
            { name: 'forms', test: linked.has, includeDependenciesRecursively: false },
            { name: 'lists', test: isOfCampaigns, minShareCount: 4, includeDependenciesRecursively: false },
            { name: 'campaigns', test: isOfCampaigns, includeDependenciesRecursively: false },
          ],
        },
      },
      treeshake: {
        // Ionic's component modules carry neither PURE marks nor "sideEffects"; without this all of them stay. The time zones'
        // library is the server's: a page uses the platform's own.
        moduleSideEffects: [
          { test: /node_modules\/@date-fns\/tz\//, sideEffects: false },
          { test: /node_modules\/(@ionic\/(core|react)|@stencil)\//, sideEffects: false },
          { test: /\.css$/, sideEffects: true },
        ],
        manualPureFunctions: ['createForwardRef', 'createForwardRef$1', 'createReactComponent'],
      },
    },
  },
})
