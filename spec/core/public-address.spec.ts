import { expect } from 'chai'
import { createReachable, isPublicAddress, mistakeInNetwork } from '../../plugin/core/public-address.js'

describe('core/public-address', () => {
  const judged = (addresses: readonly string[], judge = isPublicAddress) => addresses.filter(judge)

  it('calls addresses of the internet public', () => {
    const addresses = ['93.184.216.34', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::200e', '::ffff:1.1.1.1', '168.63.129.17']
    expect(judged(addresses)).to.deep.equal(addresses)
  })

  it('calls nothing public that is private, of this machine, or given to nobody', () => {
    const ipv4 = ['10.1.2.3', '172.16.0.1', '192.168.1.1', '127.0.0.53', '0.0.0.0', '100.64.0.1', '169.254.1.1', '224.0.0.1']
    const reserved = ['255.255.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '240.0.0.1', '203.0.113.9']
    const ipv6 = ['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '100::1', '4000::1']
    const documentation = ['2001:db8::1', '3fff::1', '2001:2::1', '5f00::1']
    const none = ['nonsense', '', 'localhost', '1.2.3.4.5', '93.184.216.34/8']
    expect(judged([...ipv4, ...reserved, ...ipv6, ...documentation, ...none])).to.deep.equal([])
  })

  it('calls no address public that carries an IPv4 address, whatever that is', () => {
    const compatible = ['::127.0.0.1', '::7f00:1', '::10.0.0.1', '::8.8.8.8']
    const mapped = ['::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:169.254.169.254', '::ffff:0:127.0.0.1']
    const nat64 = ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1']
    const tunnels = ['2002:7f00:1::', '2002:a00:1::1', '2001:0:53aa:64c::1', '2001::1']
    const isatap = ['2606:4700::5efe:127.0.0.1', '2606:4700::200:5efe:10.0.0.1', 'fe80::5efe:a00:1']
    expect(judged([...compatible, ...mapped, ...nat64, ...tunnels, ...isatap])).to.deep.equal([])
  })

  it('does not call the address public at which a cloud tells of its machines', () => {
    const clouds = [
      '169.254.169.254',
      '168.63.129.16',
      '::ffff:168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      'fd00:ec2::254',
    ]
    expect(judged(clouds)).to.deep.equal([])
  })

  it('reaches networks that are allowed, beside public addresses', () => {
    const reachable = createReachable(['10.1.0.0/16', 'fd00::/8', '168.63.129.16/32'])
    const yes = ['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '168.63.129.16', '93.184.216.34', '2606:4700::1111']
    const no = ['10.2.0.1', '127.0.0.1', 'fe80::1', '::10.1.2.3', '64:ff9b::a01:203', 'nonsense']
    expect(judged([...yes, ...no], reachable)).to.deep.equal(yes)
    expect(judged(['127.0.0.1', '::1'], createReachable(['0.0.0.0/0']))).to.deep.equal(['127.0.0.1'])
    expect(judged(['10.1.2.3'], createReachable())).to.deep.equal([])
  })

  it('says what is wrong with a network', () => {
    for (const right of ['10.0.0.0/8', '10.1.2.3/32', '::/0', 'fd00::/8', '2001:db8::1/128']) {
      expect(mistakeInNetwork(right), right).to.equal(null)
    }
    for (const wrong of ['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'desk.example', '', 'fe80::%eth0/64', 5, null, undefined]) {
      expect(mistakeInNetwork(wrong), String(wrong)).to.equal("must be a network, such as '10.1.0.0/16' or 'fd00::/8'")
    }
    const more = 'has more than the network before the slash; did you mean'
    expect(mistakeInNetwork('10.1.2.3/16')).to.equal(`${more} '10.1.0.0/16'?`)
    expect(mistakeInNetwork('fd12:3::1/16')).to.equal(`${more} 'fd12::/16'?`)
    expect(mistakeInNetwork('::ffff:10.0.0.0/104')).to.equal('must be written as IPv4')
    expect(() => createReachable(['10.1.2.3/16'])).to.throw(RangeError, "'10.1.2.3/16' has more")
  })
})
