/**
 * The known oEmbed providers: each endpoint is followed by its URL schemes without `http(s)://`. Generated from the npm
 * package oembed-providers 1.0.20260604 (MIT, Cal Henderson and contributors), without entries that have no usable scheme
 * and without one provider whose pages all link to their endpoint.
 */
const table = `
http://www.23hq.com/23/oembed www.23hq.com/*/photo/* https://playout.3qsdn.com/oembed playout.3qsdn.com/embed/*
https://adilo.bigcommand.com/web/oembed adilo.bigcommand.com/watch/* https://www.canva.com/_oembed
www.canva.com/design/*/view https://www.circlezeroeight.com/api/oembed www.circlezeroeight.com/features/*
www.circlezeroeight.com/news/* www.circlezeroeight.com/sport/* www.circlezeroeight.com/style/*
www.circlezeroeight.com/culture/* https://flowhub.org/o/embed flowhub.org/f/* flowhub.org/s/*
https://giphy.com/services/oembed giphy.com/gifs/* giphy.com/clips/* gph.is/* media.giphy.com/media/*/giphy.gif
https://geometryviewer.com/oembed geometryviewer.com/v/* www.geometryviewer.com/v/* https://api.hash.ai/oembed
core.hash.ai/@* https://portal.hopvue.com/api/oembed/ *.hopvue.com/* https://infoveave.net/services/oembed/
*.infoveave.net/E/* *.infoveave.net/P/* https://www.injurymap.com/services/oembed www.injurymap.com/exercises/*
https://www.justspin.cc/api/oembed www.justspin.cc/workouts/* https://kommodo.ai/api/oembed kommodo.ai/recordings/*
kommodo.ai/guides/* http://laude.org/api/oembed laude.org/impact/* laude.org/im/* https://qtpi.gg/fashion/oembed
qtpi.gg/fashion/* https://www.tiktok.com/oembed www.tiktok.com/* www.tiktok.com/*/video/* https://waltrack.net/oembed
waltrack.net/product/* https://api.abraia.me/oembed store.abraia.me/* https://oembed.acast.com/v1/embed-player
play.acast.com/s/* https://secure.actblue.com/cf/oembed secure.actblue.com/donate/*
https://openapi.afreecatv.com/oembed/embedinfo vod.afreecatv.com/player/ v.afree.ca/ST/ vod.afreecatv.com/ST/
vod.afreecatv.com/PLAYER/STATION/ play.afreecatv.com/ https://viewer.altium.com/shell/oembed altium.com/viewer/*
https://api.altrulabs.com/api/v1/social/oembed app.altrulabs.com/*/*?answer_id=* app.altrulabs.com/player/*
https://live.amcharts.com/oembed live.amcharts.com/* https://api.amtraker.com/v3/oembed amtraker.com/trains/*
amtraker.com/trains/*/* *.amtraker.com/trains/* *.amtraker.com/trains/*/* https://animatron.com/oembed/json
www.animatron.com/project/* animatron.com/project/* http://animoto.com/oembeds/create animoto.com/play/*
https://api.anniemusic.app/api/v1/oembed anniemusic.app/t/* anniemusic.app/p/*
https://us-central1-themerax-cc903.cloudfunctions.net/playgroundApi/oembed appforcestudio.com/playground/*
https://podcasts.apple.com/api/oembed podcasts.apple.com/* https://app.archivos.digital/oembed/
app.archivos.digital/app/view/* https://studio.assemblrworld.com/api/oembed *.studio.assemblrworld.com/creation/*
studio.assemblrworld.com/creation/* *.app-edu.assemblrworld.com/Creation/* app-edu.assemblrworld.com/Creation/*
assemblr.world/* editor.assemblrworld.com/* *.assemblrworld.com/creation/* *.assemblrworld.com/Creation/*
https://audioboom.com/publishing/oembed.{format} audioboom.com/channels/* audioboom.com/channel/*
audioboom.com/playlists/* audioboom.com/podcasts/* audioboom.com/podcast/* audioboom.com/posts/*
audioboom.com/episodes/* https://audioclip.naver.com/oembed audioclip.naver.com/channels/*/clips/*
audioclip.naver.com/audiobooks/* https://api.audio.com/oembed audio.com/* www.audio.com/* https://audiomack.com/oembed
audiomack.com/*/song/* audiomack.com/*/album/* audiomack.com/*/playlist/* https://podcasts.audiomeans.fr/services/oembed
podcasts.audiomeans.fr/* https://audius.co/oembed audius.co/* https://backtracks.fm/oembed backtracks.fm/*/*/e/*
backtracks.fm/*/s/*/* backtracks.fm/*/*/*/*/e/*/* backtracks.fm/* https://balsamiq.cloud/oembed balsamiq.cloud/*
https://api.beams.fm/oEmbed beams.fm/* https://www.behance.net/services/oembed www.behance.net/gallery/*/*
www.behance.net/*/services/*/* https://blackfire.io/oembed blackfire.io/profiles/*/graph
blackfire.io/profiles/compare/*/graph https://blogcast.host/oembed blogcast.host/embed/* blogcast.host/embedly/*
https://embed.bsky.app/oembed bsky.app/profile/*/post/* https://bookingmood.com/api/oembed www.bookingmood.com/embed/*/*
https://www.bornetube.dk/media/lasync/oembed/ www.bornetube.dk/media/* www.bornetube.dk/video/*
https://api.boxofficebuz.com/v2/oembed boxofficebuz.com/embed/video/* https://oembed.brightcove.com/
players.brightcove.net/*/*/index.html?videoId=* players.brightcove.net/*/*/index.html?playlistId=* bcove.video/*
https://view.briovr.com/api/v1/worlds/oembed/ view.briovr.com/api/v1/worlds/oembed/*
https://www.bumper.com/oembed/bumper www.bumper.com/oembed/bumper www.bumper.com/oembed-s/bumper
https://video.bunnycdn.com/OEmbed player.mediadelivery.net/* iframe.mediadelivery.net/* video.bunnycdn.com/*
https://buttondown.email/embed buttondown.email/* https://cmc.byzart.eu/oembed/ cmc.byzart.eu/files/*
http://cacoo.com/oembed.{format} cacoo.com/diagrams/* https://carbon.music/oembed carbon.music/* www.carbon.music/*
http://castmake-ai.com/api/embed www.castmake-ai.com/c/*/episodes/* http://img.catbo.at/oembed.json img.catbo.at/*
https://api.celero.io/api/oembed embeds.celero.io/* http://view.ceros.com/oembed view.ceros.com/*
https://www.chainflix.net/video/oembed chainflix.net/video/* chainflix.net/video/embed/* *.chainflix.net/video/*
*.chainflix.net/video/embed/* http://embed.chartblocks.com/1.0/oembed public.chartblocks.com/c/*
http://chirb.it/oembed.{format} chirb.it/* https://chroco.ooo/embed chroco.ooo/mypage/* chroco.ooo/story/*
https://www.circuitlab.com/circuit/oembed/ www.circuitlab.com/circuit/* https://www.clipland.com/api/oembed
www.clipland.com/v/* https://clueso.site/api/oembed clueso.site/* http://api.clyp.it/oembed/ clyp.it/*
clyp.it/playlist/* https://app.ilovecoco.video/api/oembed.{format} app.ilovecoco.video/*/embed
https://codehs.com/api/sharedprogram/1/oembed/ codehs.com/editor/share_abacus/* https://codepen.io/api/oembed
codepen.io/* https://codepoints.net/api/v1/oembed codepoints.net/* www.codepoints.net/* https://codesandbox.io/oembed
codesandbox.io/s/* codesandbox.io/embed/* http://www.collegehumor.com/oembed.{format} www.collegehumor.com/video/*
https://commaful.com/api/oembed/ commaful.com/play/* http://coub.com/api/oembed.{format} coub.com/view/*
coub.com/embed/* https://create.storage.api.itemis.io/api/embed play.itemis.io/*
http://crowdranking.com/api/oembed.{format} crowdranking.com/*/* https://crumb.sh/oembed/ crumb.sh/*
https://gql.cueup.io/oembed cueup.io/user/*/sounds/* https://api.curated.co/oembed *.curated.co/*
https://app.customerdb.com/embed app.customerdb.com/share/* https://app.dadan.io/api/video/oembed app.dadan.io/*
stage.dadan.io/* https://www.dailymotion.com/services/oembed www.dailymotion.com/video/*
geo.dailymotion.com/player.html?video=* https://dalexni.com/oembed/ dalexni.com/i/*
https://api.datawrapper.de/v3/oembed/ datawrapper.dwcdn.net/* https://app.demofly.ai/api/oembed app.demofly.ai/s/*
demofly.ai/s/* https://embed.deseret.com/ *.deseret.com/* https://samay.itabtechinfosys.com/oembed/
samay.itabtechinfosys.com/* http://backend.deviantart.com/oembed *.deviantart.com/art/* *.deviantart.com/*#/d* fav.me/*
sta.sh/* *.deviantart.com/*/art/* https://www.ultimedia.com/api/search/oembed
www.ultimedia.com/central/video/edit/id/*/topic_id/*/
www.ultimedia.com/default/index/videogeneric/id/*/showtitle/1/viewnc/1 www.ultimedia.com/default/index/videogeneric/id/*
https://www.docdroid.net/api/oembed *.docdroid.net/* docdro.id/* *.docdroid.com/*
https://www.docswell.com/service/oembed docswell.com/s/*/* www.docswell.com/s/*/*
https://api.www.documentcloud.org/api/oembed www.documentcloud.org/documents/* http://dotsub.com/services/oembed
dotsub.com/view/* https://dreambroker.com/channel/oembed www.dreambroker.com/channel/*/* https://api.d.tube/oembed
d.tube/v/* https://api.echoeshq.com/oembed app.echoeshq.com/embed/* http://egliseinfo.catholique.fr/api/oembed
egliseinfo.catholique.fr/* https://elevenlabs.io/next/oembed elevenlabs.io/* https://www.embases.com/api/oembed
www.embases.com/e/* https://embedery.com/api/oembed embedery.com/widget/* https://ethfiddle.com/services/oembed/
ethfiddle.com/* https://evt.live/api/oembed evt.live/* evt.live/*/* live.eventlive.pro/* live.eventlive.pro/*/*
https://api.everviz.com/oembed app.everviz.com/embed/* https://cdn.everwall.com/hubs/oembed
cdn.everwall.com/hubs/iframe/* https://oembed.ex.co/item app.ex.co/stories/* www.playbuzz.com/*
https://eyrie.io/v1/oembed eyrie.io/board/* eyrie.io/sparkfun/* https://graph.facebook.com/v16.0/oembed_post
www.facebook.com/*/posts/* www.facebook.com/*/activity/* www.facebook.com/*/photos/* www.facebook.com/photo.php?fbid=*
www.facebook.com/photos/* www.facebook.com/permalink.php?story_fbid=* www.facebook.com/media/set?set=*
www.facebook.com/questions/* www.facebook.com/notes/*/*/* https://graph.facebook.com/v16.0/oembed_video
www.facebook.com/*/videos/* www.facebook.com/video.php?id=* www.facebook.com/video.php?v=*
https://graph.facebook.com/v16.0/oembed_page www.facebook.com/* https://app.getfader.com/api/oembed
app.getfader.com/projects/*/publish https://faithlifetv.com/api/oembed faithlifetv.com/items/*
faithlifetv.com/items/resource/*/* faithlifetv.com/media/* faithlifetv.com/media/assets/*
faithlifetv.com/media/resource/*/* https://haus.fazen.co/api/oembed haus.fazen.co/embed/music/*
https://www.figma.com/api/oembed www.figma.com/file/* www.figma.com/design/* www.figma.com/board/*
www.figma.com/slides/* www.figma.com/buzz/* www.figma.com/site/* www.figma.com/make/* https://app.filestage.io/oembed
app.filestage.io/step/** https://www.fireworktv.com/oembed *.fireworktv.com/* *.fireworktv.com/embed/*/v/*
https://www.fite.tv/oembed www.fite.tv/watch/* https://flat.io/services/oembed flat.io/score/* *.flat.io/score/*
https://www.flickr.com/services/oembed/ *.flickr.com/photos/* flic.kr/p/* flic.kr/s/* *.*.flickr.com/*/*
https://app.flourish.studio/api/v1/oembed public.flourish.studio/visualisation/* public.flourish.studio/story/*
https://fooday.app/oembed fooday.app/*/reviews/* fooday.app/*/spots/* https://forms.form-data.com/api/oembed
forms.form-data.com/* https://fiso.foxsports.com.au/oembed fiso.foxsports.com.au/isomorphic-widget/*
https://framatube.org/services/oembed framatube.org/w/* https://framebuzz.com/oembed/ framebuzz.com/v/*
https://api.framer.com/web/oembed framer.com/share/* framer.com/embed/* http://api.geograph.org.uk/api/oembed
*.geograph.org.uk/* *.geograph.co.uk/* *.geograph.ie/* *.wikimedia.org/*_geograph.org.uk_*
http://www.geograph.org.gg/api/oembed *.geograph.org.gg/* *.geograph.org.je/* channel-islands.geograph.org/*
channel-islands.geographs.org/* *.channel.geographs.org/* http://geo.hlipp.de/restapi.php/api/oembed geo-en.hlipp.de/*
geo.hlipp.de/* germany.geograph.org/* https://api.getshow.io/oembed.{format} app.getshow.io/iframe/*
*.getshow.io/share/* http://embed.gettyimages.com/oembed gty.im/* https://www.gifnote.com/services/oembed
www.gifnote.com/play/* https://embed.gmetri.com/oembed/ view.gmetri.com/* *.gmetri.com/* https://app.gong.io/oembed
app.gong.io/call?id=* https://www.good-for-job.jp/api/oembed www.good-for-job.jp/slides/*
https://api.grain.com/_/api/oembed grain.co/highlight/* grain.co/share/* grain.com/share/*
https://api.luminery.com/oembed gtchannel.com/watch/* https://api.gumlet.com/v1/oembed gumlet.tv/watch/*
play.gumlet.io/embed/* https://gw2fashions.com/fashion/oembed gw2fashions.com/fashion/* https://api.gyazo.com/api/oembed
gyazo.com/* https://hearthis.at/oembed/?format=json hearthis.at/*/*/ hearthis.at/*/set/*/
https://helenenglish.education/embed helenenglish.education/widget* https://heyzine.com/api1/oembed
heyzine.com/flip-book/* *.hflip.co/* *.aflip.in/* https://player.hihaho.com/services/oembed player.hihaho.com/*
https://www.hippovideo.io/services/oembed *.hippovideo.io/* https://app.hivo.com.au/api/drupal/oembed cdn.hivo.com.au/*
cdn.digital-assets.uq.edu.au/* cdn.southerndesigngroup.com/* freedom.hivocdn.com/* cdn.cockburn.wa.gov.au/*
cdn.somnomed.com/* cdn.snowtunnel.com/* cdn.brenclosures.com.au/* https://homey.app/api/oembed/flow homey.app/f/*
homey.app/*/flow/* https://hubspot-media-bridge.thedamconsultants.com/oembed/
hubspot-media-bridge.thedamconsultants.com/* http://huffduffer.com/oembed huffduffer.com/*/*
http://www.hulu.com/api/oembed.{format} www.hulu.com/watch/* https://api.icosa.gallery/v1/oembed icosa.gallery/view/*
https://oembed.ideamapper.com/oembed oembed.ideamapper.com/* https://oembed.idomoo.com/oembed *.idomoo.com/*
http://www.ifixit.com/Embed www.ifixit.com/Guide/View/* http://www.ifttt.com/oembed/ ifttt.com/recipes/*
https://app.ignitevideo.cloud/api/oembed *.videocdn.net/player/* *.euvideocdn.com/player/* https://www.iheart.com/oembed
www.iheart.com/podcast/*/* https://qr.imenupro.com/api/oembed qr.imenupro.com/* https://oembed.incredible.dev/oembed
incredible.dev/watch/* https://player.indacolive.com/services/oembed player.indacolive.com/player/jwp/clients/*
https://infogram.com/oembed infogram.com/* https://www.inoreader.com/oembed/api/ www.inoreader.com/oembed/
http://api.inphood.com/oembed *.inphood.com/* https://widgets.insighttimer.com/services/oembed insighttimer.com/*
https://graph.facebook.com/v16.0/instagram_oembed instagram.com/*/p/* www.instagram.com/*/p/* instagram.com/p/*
instagr.am/p/* www.instagram.com/p/* www.instagr.am/p/* instagram.com/tv/* instagr.am/tv/* www.instagram.com/tv/*
www.instagr.am/tv/* www.instagram.com/reel/* instagram.com/reel/* instagr.am/reel/* https://www.insticator.com/oembed
ppa.insticator.com/embed-unit/* https://issuu.com/oembed issuu.com/*/docs/* https://api.jawafdehi.org/oembed/
jawafdehi.org/case/* https://api.jovian.com/oembed.json jovian.ml/* jovian.ml/viewer* *.jovian.ml/* jovian.ai/*
jovian.ai/viewer* *.jovian.ai/* jovian.com/* jovian.com/viewer* *.jovian.com/* https://play.juntos.live/api/oembed
play.juntos.live/solo/* play.juntos.live/host/quiz/* https://tv.kakao.com/oembed tv.kakao.com/channel/*/cliplink/*
tv.kakao.com/m/channel/*/cliplink/* tv.kakao.com/channel/v/* tv.kakao.com/channel/*/livelink/*
tv.kakao.com/m/channel/*/livelink/* tv.kakao.com/channel/l/* http://www.kickstarter.com/services/oembed
www.kickstarter.com/projects/* https://www.kidoju.com/api/oembed www.kidoju.com/en/x/*/* www.kidoju.com/fr/x/*/*
https://halaman.email/service/oembed halaman.email/form/* aplikasi.kirim.email/form/* https://embed.kit.co/oembed
kit.co/*/* http://www.kitchenbowl.com/oembed www.kitchenbowl.com/recipe/* https://api.kmdr.sh/services/oembed
app.kmdr.sh/h/* app.kmdr.sh/history/* https://jdr.knacki.info/oembed jdr.knacki.info/meuh/*
https://api.spoonacular.com/knowledge/oembed knowledgepad.co/#/knowledge/* https://embed.kooapp.com/services/oembed
*.kooapp.com/koo/* https://kubit.ai/services/oembed kubit.ai/* *.kubit.ai/* https://kurozora.app/oembed
kurozora.app/episodes/* kurozora.app/songs/* https://api.landofassets.com/oembed landofassets.com/*
landofassets.com/*/assets landofassets.com/*/assets/* landofassets.com/*/assets/*/embed
http://learningapps.org/oembed.php learningapps.org/* https://place.line.me/oembed place.line.me/businesses/*
https://api.linkstackz.com/oembed linkstackz.com/irf/* linkstackz.com/post/* https://livid.com/oembed livid.com/watch/*
https://www.loom.com/v1/oembed loom.com/i/* loom.com/share/* https://embed.lottiefiles.com/oembed lottiefiles.com/*
*.lottiefiles.com/* *.lottie.host/* lottie.host/* https://app.ludus.one/oembed app.ludus.one/*
https://admin.lumiere.is/api/services/oembed *.lumiere.is/v/* https://marimo.app/oembed marimo.app/*
http://mathembed.com/oembed mathembed.com/latex?inputText=* https://mdstrm.com/oembed mdstrm.com/embed/*
mdstrm.com/live-stream/* mdstrm.com/image/* https://medienarchiv.zhdk.ch/oembed.{format} medienarchiv.zhdk.ch/entries/*
zhdk.medienarchiv.ch/entries/* https://me.me/oembed me.me/i/* https://mermaid.ink/services/oembed mermaid.ink/img/*
mermaid.ink/svg/* https://web.microsoftstream.com/oembed *.microsoftstream.com/video/* *.microsoftstream.com/channel/*
https://oembed.minervaknows.com www.minervaknows.com/featured-recipes/* www.minervaknows.com/themes/*
www.minervaknows.com/themes/*/recipes/* app.minervaknows.com/recipes/* app.minervaknows.com/recipes/*/follow
https://minesweeper.today/api/oembed minesweeper.today/* https://miro.com/api/v1/oembed miro.com/app/board/*
https://miro.com/video-player/oembed miro.com/video-player/* https://www.mixcloud.com/oembed/ www.mixcloud.com/*/*/
https://mixpanel.com/api/app/embed/oembed/ mixpanel.com/* *.mixpanel.com/* http://api.mobypicture.com/oEmbed
www.mobypicture.com/user/*/view/* moby.to/* https://musicboxmaniacs.com/embed/ musicboxmaniacs.com/explore/melody/*
https://mybeweeg.com/services/oembed mybeweeg.com/w/* https://api.mysqlexplain.com/v2/oembed.json
mysqlexplain.com/explain/* embed.mysqlexplain.com/explain/* https://namchey.com/api/oembed namchey.com/embeds/*
https://www.nanoo.tv/services/oembed *.nanoo.tv/link/* nanoo.tv/link/* *.nanoo.pro/link/* nanoo.pro/link/*
media.zhdk.ch/signatur/* new.media.zhdk.ch/signatur/* https://api.nb.no/catalog/v1/oembed www.nb.no/items/*
https://naturalatlas.com/oembed.{format} naturalatlas.com/* naturalatlas.com/*/* naturalatlas.com/*/*/*
naturalatlas.com/*/*/*/* https://m.naver.com/shorts/oEmbed naver.me/* m.naver.com/shorts/* https://ndla.no/oembed
ndla.no/* ndla.no/article/* ndla.no/audio/* ndla.no/concept/* ndla.no/image/* ndla.no/video/*
https://nebula.tv/api/oembed nebula.tv/videos/* https://beta.nebula.tv/api/oembed beta.nebula.tv/videos/*
https://cloud.needle.tools/oembed cloud.needle.tools/-/assets/*/file cloud.needle.tools/view?file=* *.needle.run/*
https://api.neetorecord.com/api/v1/oembed *.neetorecord.com/watch/* http://www.nfb.ca/remote/services/oembed/
*.nfb.ca/film/* https://oembed.nopaste.ml nopaste.ml/* https://api.observablehq.com/oembed observablehq.com/@*/*
observablehq.com/d/* observablehq.com/embed/* https://www.odds.com.au/api/oembed/ www.odds.com.au/* odds.com.au/*
https://odysee.com/$/oembed odysee.com/*/* odysee.com/* http://official.fm/services/oembed.{format} official.fm/tracks/*
official.fm/playlists/* https://omniscope.me/_global_/oembed/json omniscope.me/* https://omny.fm/oembed omny.fm/shows/*
http://orbitvu.co/service/oembed orbitvu.co/001/*/ov3601/view orbitvu.co/001/*/ov3601/*/view
orbitvu.co/001/*/ov3602/*/view orbitvu.co/001/*/2/orbittour/*/view orbitvu.co/001/*/1/2/orbittour/*/view
https://origits.net/oembed origits.com/v/* https://origits.com/oembed origits.com/v/* https://outplayed.tv/oembed
outplayed.tv/media/* https://overflow.io/services/oembed overflow.io/s/* overflow.io/embed/* https://core.oz.com/oembed
www.oz.com/*/video/* https://padlet.com/oembed/ padlet.com/* https://api-v2.pandavideo.com.br/oembed
*.tv.pandavideo.com.br/embed/?v=* *.tv.pandavideo.com.br/*/playlist.m3u8 dashboard.pandavideo.com.br/#/videos/*
https://app.parta.io/core/oembed app.parta.io/core/embed/* *.parta.io/core/embed/* https://www.pastery.net/oembed
pastery.net/* www.pastery.net/* https://peertube.tv/services/oembed peertube.tv/w/*
https://api.picturelfy.com/service/oembed/ www.picturelfy.com/p/* https://piggy.to/oembed piggy.to/@*/* piggy.to/view/*
https://builder.pikasso.xyz/api/oembed *.builder.pikasso.xyz/embed/* https://tools.pinpoll.com/oembed
tools.pinpoll.com/embed/* https://www.pinterest.com/oembed.json www.pinterest.com/*
https://player.pitchhub.com/en/public/oembed player.pitchhub.com/en/public/player/* https://store.pixdor.com/oembed
store.pixdor.com/place-marker-widget/*/show store.pixdor.com/map/*/show https://plinth.it/model-viewer/oembed
plinth.it/model-viewer/*/* https://app.plusdocs.com/oembed app.plusdocs.com/*/snapshots/*
app.plusdocs.com/*/pages/edit/* app.plusdocs.com/*/pages/share/* https://uapod.univ-antilles.fr/oembed
uapod.univ-antilles.fr/video/* https://umotion-test.univ-lemans.fr/oembed umotion-test.univ-lemans.fr/video/*
https://pod.univ-lille.fr/video/oembed pod.univ-lille.fr/video/* https://pod.u-pec.fr/oembed pod.u-pec.fr/video/*
https://mediatheque.univ-paris1.fr/oembed mediatheque.univ-paris1.fr/video/* https://api.podbean.com/v1/oembed
*.podbean.com/e/* http://polldaddy.com/oembed/ *.polldaddy.com/s/* *.polldaddy.com/poll/* *.polldaddy.com/ratings/*
https://api.portfolium.com/oembed portfolium.com/entry/* https://gateway.cobalt.run/present/decks/oembed
present.do/decks/* https://prezi.com/v/oembed prezi.com/v/* *.prezi.com/v/* https://programmingly.dev/api/oembed
programmingly.dev/snippets/* https://web.quartr.com/api/oembed quartr.com/* web.quartr.com/*
http://quellensuche.de/api/oembed quellensuche.de/* http://beta.quellensuche.de/api/oembed beta.quellensuche.de/*
http://www.quiz.biz/api/oembed www.quiz.biz/quizz-*.html http://www.quizz.biz/api/oembed www.quizz.biz/quizz-*.html
https://oembed.radiopublic.com/oembed play.radiopublic.com/* radiopublic.com/* www.radiopublic.com/* *.radiopublic.com/*
https://pub.raindrop.io/api/oembed raindrop.io/* raindrop.io/*/* raindrop.io/*/*/* raindrop.io/*/*/*/*
https://animatron.com/oembed www.rcvis.com/v/* www.rcvis.com/visualize=* www.rcvis.com/ve/*
www.rcvis.com/visualizeEmbedded=* https://www.reddit.com/oembed reddit.com/r/*/comments/*/*
www.reddit.com/r/*/comments/*/* https://redlof-medien.de/wp-json/oembed/1.0/embed redlof-medien.de/*
www.redlof-medien.de/* https://api.wexcreator.com/oembed/ show.wexcreator.com/* showroom.redlof-medien.de/*
http://publisher.releasewire.com/oembed/ rwire.com/* https://replit.com/data/oembed repl.it/@*/* replit.com/@*/*
https://www.reverbnation.com/oembed www.reverbnation.com/* www.reverbnation.com/*/songs/* https://risky.biz/oembed
risky.biz/* http://roomshare.jp/en/oembed.{format} roomshare.jp/post/* roomshare.jp/en/post/*
https://roosterteeth.com/oembed roosterteeth.com/* https://rumble.com/api/Media/oembed.{format} rumble.com/*
rumble.com/shorts/* https://embed.runkit.com/oembed embed.runkit.com/*, https://api.rushes.cc/oembed
www.rushes.cc/video/* www.rushes.cc/embed/* rushes.cc/video/* rushes.cc/embed/* https://biqapp.net/api/oembed
biqapp.net/f/* www.biqapp.net/f/* https://app2.sagenverse.com/oembed app2.sagenverse.com/embed/*
https://octopus.saooti.com/oembed octopus.saooti.com/main/pub/podcast/* http://videos.sapo.pt/oembed videos.sapo.pt/*
https://www.satcat.com/api/sats/oembed www.satcat.com/sats/* https://api.satoplayer.com/players/oembed
api.satoplayer.com/players/embed/* https://sbedit.net/oembed/ sbedit.net/* https://getscenes.com/oembed
getscenes.com/e/* getscenes.com/event/* https://api.screen9.com/oembed console.screen9.com/* *.screen9.tv/*
https://api.screencast.com/external/oembed www.screencast.com/* http://www.screenr.com/api/oembed.{format}
www.screenr.com/*/ https://scribblemaps.com/api/services/oembed.{format} www.scribblemaps.com/maps/view/*
scribblemaps.com/maps/view/* http://www.scribd.com/services/oembed/ www.scribd.com/doc/*
https://embed.sendtonews.com/services/oembed embed.sendtonews.com/oembed/*
https://shared-file-kappa.vercel.app/file/api/oembed shared-file-kappa.vercel.app/file/*
https://shopshare.tv/api/shopcast/oembed shopshare.tv/shopboard/* shopshare.tv/shopcast/*
https://www.shortnote.jp/oembed/ www.shortnote.jp/view/notes/* http://shoudio.com/api/oembed shoudio.com/* shoud.io/*
https://showtheway.io/oembed showtheway.io/to/* https://simplecast.com/oembed simplecast.com/s/*
https://onsizzle.com/oembed onsizzle.com/i/* https://graphql.sketch.cloud/embed/oembed www.sketch.com/s/*
www.sketch.com/preview/* http://sketchfab.com/oembed sketchfab.com/*models/* sketchfab.com/*/folders/*
https://www.skoletube.dk/media/lasync/oembed/ www.skoletube.dk/media/* www.skoletube.dk/video/*
www.studietube.dk/media/* www.studietube.dk/video/* https://www.slideshare.net/api/oembed/2 www.slideshare.net/*/*
fr.slideshare.net/*/* de.slideshare.net/*/* es.slideshare.net/*/* pt.slideshare.net/*/*
https://smashnotes.com/services/oembed smashnotes.com/p/* https://open.smeme.com/api/oembed open.smeme.com/*
https://www.smrthi.com/api/oembed www.smrthi.com/book/* https://api.smugmug.com/services/oembed/ *.smugmug.com/*
https://www.socialexplorer.com/services/oembed/ www.socialexplorer.com/*/explore www.socialexplorer.com/*/view
www.socialexplorer.com/*/edit www.socialexplorer.com/*/embed https://song.link/oembed song.link/* album.link/*
artist.link/* playlist.link/* pods.link/* mylink.page/* odesli.co/* https://openapi.sooplive.com/oembed/embedinfo
vod.sooplive.com/player/ v.afree.ca/ST/ vod.sooplive.com/ST/ vod.sooplive.com/PLAYER/STATION/ play.sooplive.com/
https://soundcloud.com/oembed soundcloud.com/* on.soundcloud.com/* soundcloud.app.goog.gl/*
https://speakerdeck.com/oembed.json speakerdeck.com/*/* https://open.spotify.com/oembed open.spotify.com/*
spotify.link/* https://api.spotlightr.com/getOEmbed *.spotlightr.com/watch/* *.spotlightr.com/publish/*
*.cdn.spotlightr.com/watch/* *.cdn.spotlightr.com/publish/* https://api.spreaker.com/oembed *.spreaker.com/*
http://sproutvideo.com/oembed.{format} sproutvideo.com/videos/* *.vids.io/videos/* https://api.spyke.social/embed/oembed
spyke.social/p/* spyke.social/u/* spyke.social/g/* spyke.social/c/* www.spyke.social/p/* www.spyke.social/u/*
www.spyke.social/g/* www.spyke.social/c/* https://purl.stanford.edu/embed.{format} purl.stanford.edu/*
https://storymaps.arcgis.com/oembed storymaps.arcgis.com/stories/* https://api.streamable.com/oembed.json
streamable.com/* https://streamio.com/api/v1/oembed s3m.io/* 23m.io/* https://subscribi.io/api/oembed
subscribi.io/api/oembed* https://www.sudomemo.net/oembed www.sudomemo.net/watch/* archive.sudomemo.net/watch/*
flipnot.es/* https://supercut.ai/oembed supercut.ai/share/* https://www.sutori.com/api/oembed www.sutori.com/story/*
https://sway.com/api/v1.0/oembed sway.com/* www.sway.com/* https://sway.office.com/api/v1.0/oembed sway.office.com/*
https://69jr5v75rc.execute-api.eu-west-1.amazonaws.com/prod/v2/oembed share.synthesia.io/*
https://techpostcast.com/oembed/ techpostcast.com/headline-topic-programs/*
https://www.ted.com/services/v1/oembed.{format} ted.com/talks/* www.ted.com/talks/* https://www.tella.tv/api/oembed
www.tella.tv/video/* tella.video/* https://www.nytimes.com/svc/oembed/json/ www.nytimes.com/svc/oembed nytimes.com/*
*.nytimes.com/* https://theysaidso.com/extensions/oembed/ theysaidso.com/image/* https://www.tickcounter.com/oembed
www.tickcounter.com/widget/* www.tickcounter.com/countdown/* www.tickcounter.com/countup/* www.tickcounter.com/ticker/*
www.tickcounter.com/clock/* www.tickcounter.com/worldclock/* www.tickcounter.com/embed/* www.tickcounter.com/full/*
https://tksn.me/api/oembed/ tksn.me/* *.tksn.me/* https://tonicaudio.com/oembed tonicaudio.com/take/*
tonicaudio.com/song/* tnic.io/song/* tnic.io/take/* https://widget.toornament.com/oembed
www.toornament.com/tournaments/*/information www.toornament.com/tournaments/*/registration/
www.toornament.com/tournaments/*/matches/schedule www.toornament.com/tournaments/*/stages/*/ http://www.topy.se/oembed/
www.topy.se/image/* https://app-test.totango.com/oembed app-test.totango.com/* https://trackspace.upitup.com/oembed
trackspace.upitup.com/* https://trinitymedia.ai/services/oembed trinitymedia.ai/player/* trinitymedia.ai/player/*/*
trinitymedia.ai/player/*/*/* https://trycli.com/api/oembed trycli.com/e/* trycli.com/*/*
https://www.tumblr.com/oembed/1.0 *.tumblr.com/post/* https://www.tuxx.be/services/oembed www.tuxx.be/*
https://play.tvcf.co.kr/rest/oembed play.tvcf.co.kr/* *.tvcf.co.kr/* https://twinmotion.unrealengine.com/oembed
twinmotion.unrealengine.com/presentation/* twinmotion.unrealengine.com/panorama/* https://publish.twitter.com/oembed
twitter.com/* twitter.com/*/status/* *.twitter.com/*/status/* https://play.typecast.ai/oembed play.typecast.ai/s/*
play.typecast.ai/e/* play.typecast.ai/* https://map.cam.ac.uk/oembed/ map.cam.ac.uk/* http://www.ustream.tv/oembed
*.ustream.tv/* *.ustream.com/* https://app.ustudio.com/api/v2/oembed *.ustudio.com/embed/* *.ustudio.com/embed/*/*
https://api.veer.tv/oembed veer.tv/videos/* https://api.veervr.tv/oembed veervr.tv/videos/* https://www.vevo.com/oembed
www.vevo.com/* https://videfit.com/oembed videfit.com/videos/* https://vidmount.com/oembed vidmount.com/*
https://api.vidyard.com/dashboard/v1.1/oembed *.vidyard.com/* *.hubs.vidyard.com/* https://vimeo.com/api/oembed.{format}
vimeo.com/* vimeo.com/album/*/video/* vimeo.com/channels/*/* vimeo.com/groups/*/videos/* vimeo.com/ondemand/*/*
player.vimeo.com/video/* vimeo.com/event/*/* https://play.viostream.com/oembed share.viostream.com/*
https://www.viously.com/oembed www.viously.com/*/* https://vizdom.dev/api/v1/oembed vizdom.dev/link/*
https://vizydrop.com/oembed vizydrop.com/shared/* https://vlipsy.com/oembed vlipsy.com/* https://www.vlive.tv/oembed
www.vlive.tv/video/* https://embed.vouchfor.com/v1/oembed *.vouchfor.com/* https://data.voxsnap.com/oembed
article.voxsnap.com/*/* https://embed.wave.video/oembed watch.wave.video/* embed.wave.video/*
https://www.web3isgoinggreat.com/api/oembed www.web3isgoinggreat.com/?id=* www.web3isgoinggreat.com/single/*
www.web3isgoinggreat.com/embed/* https://webcrumbs.dev/oembed plugins.webcrumbs.dev/* https://play.wecandeo.com/oembed/
play.wecandeo.com/video/v/* https://www.wewtalk.com/api/oembed www.wewtalk.com/voice/* wewtalk.com/voice/*
https://whimsical.com/api/oembed whimsical.com/* whimsical.com/*/* https://fast.wistia.com/oembed.{format}
fast.wistia.com/embed/iframe/* fast.wistia.com/embed/playlists/* *.wistia.com/medias/*
https://app.wizer.me/api/oembed.{format} *.wizer.me/learn/* *.wizer.me/preview/* https://wokwi.com/api/oembed
wokwi.com/share/* https://www.wolframcloud.com/oembed *.wolframcloud.com/* https://publish.x.com/oembed x.com/*
x.com/*/status/* *.x.com/*/status/* https://www.youtube.com/oembed *.youtube.com/watch* *.youtube.com/v/* youtu.be/*
*.youtube.com/playlist?list=* youtube.com/playlist?list=* *.youtube.com/shorts* youtube.com/shorts*
*.youtube.com/embed/* *.youtube.com/live* youtube.com/live* https://www.yumpu.com/services/oembed
www.yumpu.com/*/document/view/*/* https://app.zeplin.io/embed app.zeplin.io/project/*/screen/*
app.zeplin.io/project/*/screen/*/version/* app.zeplin.io/project/*/styleguide/components?coid=*
app.zeplin.io/styleguide/*/components?coid=* https://app.zingsoft.com/oembed app.zingsoft.com/embed/*
app.zingsoft.com/view/* https://api.znipe.tv/v3/oembed/ *.znipe.tv/* https://srv2.zoomable.ca/oembed
srv2.zoomable.ca/viewer.php*
`

interface Scheme {
  readonly host: string
  readonly path: string
  readonly endpoint: string
}

let schemes: readonly Scheme[] | undefined

/** The endpoint of the first provider with a scheme that matches the URL. */
export function knownEndpoint(url: URL): string | undefined {
  schemes ??= schemesIn(table)
  const path = url.pathname + url.search
  const pathFits = (pattern: string) => fits(pattern, path) || (url.hash !== '' && fits(pattern, path + url.hash))
  return schemes.find((scheme) => hostFits(scheme.host, url.hostname) && pathFits(scheme.path))?.endpoint
}

function schemesIn(text: string): Scheme[] {
  let endpoint = ''
  return text.split(/\s+/).flatMap((word) => {
    if (word.startsWith('http')) endpoint = word
    if (word === '' || word === endpoint) return []
    const slash = word.indexOf('/')
    const cut = slash === -1 ? word.length : slash
    return [{ host: word.slice(0, cut), path: word.slice(cut) || '/', endpoint }]
  })
}

/** Choice: `*.example.com` matches `example.com` too, which the list often leaves out. */
const hostFits = (pattern: string, host: string) =>
  fits(pattern, host) || (pattern.startsWith('*.') && pattern.slice(2) === host)

/** `*` matches any text. Each piece is matched at its first occurrence, so that matching takes linear time. */
function fits(pattern: string, text: string): boolean {
  const [first = '', ...pieces] = pattern.split('*')
  const last = pieces.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces) {
    const start = text.indexOf(piece, at)
    if (start === -1) return false
    at = start + piece.length
  }
  return at <= text.length - last.length
}
