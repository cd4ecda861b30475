import type { ManifestOptions } from 'vite-plugin-pwa'

const png = (name: string, size: number, purpose: 'any' | 'maskable' = 'any') =>
  ({ src: `/${name}-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose }) as const

const shortcut = (name: string, url: string, icon: string) => ({ name, url, icons: [png(`shortcut-${icon}`, 96)] })

/** The two shapes of screenshots that systems tell apart, in pixels. */
export const shapes = { narrow: { width: 390, height: 844 }, wide: { width: 1180, height: 820 } } as const
export type Shape = keyof typeof shapes

/** What the screenshots show, in the order in which a system shows them; `draw-screenshots.ts` makes them. */
export const shownScreens = [
  { name: 'home', path: '/home', label: 'Ad spend, sales and ACOS, and why they changed' },
  { name: 'campaigns', path: '/campaigns', label: 'Every campaign with its figures' },
  {
    name: 'hours',
    path: '/insights/hourly-trends',
    label: 'At which hours of the week ads sell, and at which they only cost',
  },
] as const

const screenshots = (shape: Shape) =>
  shownScreens.map(({ name, label }) => ({
    src: `/screenshots/${name}-${shape}.png`,
    sizes: `${shapes[shape].width}x${shapes[shape].height}`,
    type: 'image/png',
    form_factor: shape,
    label,
  }))

/** What the system knows of the installed app. */
export const webManifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Tideline',
  short_name: 'Tideline',
  description: 'Create, watch and correct marketplace ad campaigns from a phone.',
  lang: 'en',
  dir: 'ltr',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  // What opens the app again, such as a shortcut or a shared page, uses the window that is there: the page opens the address
  // itself, so that nothing in it is lost.
  launch_handler: { client_mode: ['focus-existing', 'auto'] },
  handle_links: 'preferred',
  prefer_related_applications: false,
  theme_color: '#0f4c52',
  background_color: '#f7f1e5',
  categories: ['business', 'productivity', 'finance'],
  icons: [
    png('icon', 192),
    png('icon', 512),
    png('icon-maskable', 192, 'maskable'),
    png('icon-maskable', 512, 'maskable'),
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
  screenshots: [...screenshots('narrow'), ...screenshots('wide')],
  share_target: {
    action: '/share',
    method: 'GET',
    // The default of the web; without it Chromium warns.
    enctype: 'application/x-www-form-urlencoded',
    params: { title: 'title', text: 'text', url: 'url' },
  },
  shortcuts: [
    shortcut('Triage', '/notifications', 'triage'),
    shortcut('Out of budget', '/campaigns?state=ENABLED&serving=MONEY', 'budget'),
    shortcut('New campaign', '/create-campaign', 'create'),
    shortcut('Reports', '/performance-reports', 'reports'),
  ],
}
