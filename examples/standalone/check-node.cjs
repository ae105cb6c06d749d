// Runs before `npm start` and `npm run demo`, under an old Node as well: so no imports and no new syntax.
const [wanted] = /\d+\.\d+\.\d+/.exec(require('../../package.json').engines.node)

function isOlder(version, than) {
  const [own, other] = [version, than].map((one) => one.split('.').map(Number))
  const different = [0, 1, 2].find((index) => own[index] !== other[index])
  return different !== undefined && own[different] < other[different]
}

if (isOlder(process.versions.node, wanted)) {
  console.error(`\n  koa-itsm needs Node ${wanted} or newer, and this is Node ${process.versions.node}.`)
  console.error('  → Install a newer Node from https://nodejs.org, or switch with your version manager: nvm install 22\n')
  process.exit(1)
}
