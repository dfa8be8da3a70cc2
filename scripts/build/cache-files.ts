/** Files in `.build/cache/`: what can be lost without harm. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workDir } from './paths.ts'

/** Folder of what builds keep for the next one. */
export const cacheDir: string = join(workDir, '.build/cache')

/** Whether this runs in CI, where nothing is kept and nothing that was kept is believed. */
export function isCi(): boolean {
  const value = process.env['CI'] ?? ''
  return value !== '' && value !== 'false' && value !== '0'
}

/** What was kept in a file, if anything was, and all of it. */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}

/** Keeps a value in a file, at once: two builds at a time shall not read halves of each other's. */
export function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, JSON.stringify(value))
  renameSync(unfinished, file)
}
