import { importCatalogue } from '#features/catalogue/server/import/import-catalogue.ts'
import { listInventory } from '#features/catalogue/server/inventory.ts'
import { connectSeller } from './connected-seller.ts'
import { servicesWithOutside } from './outside.ts'

type Wanted = Omit<Parameters<typeof listInventory>[1], 'page' | 'size'> & { page?: number; size?: number }

/** A seller of the United States whose catalogue was imported, and what tests of it do. */
export async function openCatalogueScene() {
  const opened = await servicesWithOutside()
  const seller = await connectSeller(opened.services, {
    login: 'agency@sandbox.test',
    sellerId: 'A1HARBORLANEUS',
    countries: ['US'],
  })
  const [profile] = seller.profiles
  if (!profile) throw new Error('no profile')
  const whole = { signal: new AbortController().signal, onProgress: async () => undefined }
  const importAll = () => importCatalogue(opened.services, profile, whole)
  await importAll()
  return {
    ...opened,
    seller,
    ctx: seller.ctx,
    profile,
    importAll,
    /** A page of the inventory; the first hundred products by default. */
    page: (query: Wanted = {}) => listInventory(seller.ctx, { page: 0, size: 100, ...query }),
  }
}
export type CatalogueScene = Awaited<ReturnType<typeof openCatalogueScene>>
