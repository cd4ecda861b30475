/** Asks the browser to keep this device's data under pressure. True when it promises; the server stays the truth. */
export const persistStorage = async (): Promise<boolean> => {
  if (!navigator.storage?.persist) return false
  return (await navigator.storage.persisted()) || navigator.storage.persist()
}
