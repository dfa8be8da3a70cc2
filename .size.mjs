import {build} from 'esbuild'; import {gzipSync} from 'node:zlib'
const go=async(external=[],strip)=>{const plugins=strip?[{name:'s',setup(c){c.onLoad({filter:/\/(plugins|core)\/.*\.ts$/},async({path})=>{const fs=await import('node:fs');let t=fs.readFileSync(path,'utf8');return {contents:strip(t,path),loader:'ts'}})}}]:[]
const r=await build({entryPoints:['.build/minimal/library/entry.ts'],bundle:true,minify:true,format:'esm',platform:'neutral',mainFields:['module','main'],write:false,metafile:true,external:[...external],target:'es2023',alias:{'svc/plugin':'./core/public.ts'},plugins,legalComments:'none'});return [gzipSync(r.outputFiles[0].contents,{level:9}).length,r]}
const [all,r]=await go(); console.log('all',all)
const ins=Object.values(r.metafile.outputs)[0].inputs
const groups={}
for(const [k,v] of Object.entries(ins)){const g=k.includes('node_modules')?k.replace(/.*node_modules\/((@[^/]+\/)?[^/]+).*/,'$1'):k.split('/').slice(0,3).join('/');groups[g]=(groups[g]||0)+v.bytesInOutput}
console.log(Object.entries(groups).sort((a,b)=>b[1]-a[1]).slice(0,40))
for(const e of [['hash-wasm'],['jose/*'],['hash-wasm','jose/*']]) console.log(e,(await go(e))[0])
console.log('no summaries',(await go([],(t)=>t.replace(/summary:\s*\n?\s*'[^']*'/g,"summary:''").replace(/summary:\s*\n?\s*`[^`]*`/g,"summary:''")))[0])
