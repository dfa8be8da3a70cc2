/** The files of a folder in the private file system of the origin. Each is replaced as a whole. */
export async function privateFiles(name) {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true })
  return {
    async read(name) {
      try {
        const bytes = new Uint8Array(await (await (await folder.getFileHandle(name)).getFile()).arrayBuffer())
        // The file is empty if its first write was cut off.
        return bytes.length === 0 ? null : bytes
      } catch (error) {
        if (error.name === 'NotFoundError') return null
        throw error
      }
    },
    async write(name, bytes) {
      const writer = await (await folder.getFileHandle(name, { create: true })).createWritable()
      try {
        await writer.write(bytes)
        // The browser writes to a temporary file; `close` replaces the old file with it.
        await writer.close()
      } catch (error) {
        await writer.abort().catch(() => {})
        throw error
      }
    },
  }
}
