/** What the processes under test have in common. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on a free port of this machine. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Tells the parent the ports, then the processor time used whenever it asks; ends with the parent's wish. */
export function answerCpu(port: number, stop: () => Promise<void>, others: readonly number[] = []): void {
  process.on('message', async (asked) => {
    if (asked === 'stop') {
      await stop()
      process.exit(0)
    }
    if (asked !== 'cpu') return
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system })
  })
  process.on('disconnect', () => process.exit(1))
  process.send?.({ port, others })
}
