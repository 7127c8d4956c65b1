/** Styles elements as browsers do without a sheet, as far as that shows, hides or colours texts. */
export const browserSheet = `
[hidden],area,base,datalist,head,link,meta,noembed,noframes,param,rp,script,style,template,title,input[type=hidden],noscript{display:none}
dialog:not([open]){display:none}
details:not([open])>*:not(summary:first-of-type){display:none}
a:any-link{color:#0000ee}
mark{background-color:#ffff00;color:#000000}
h1,h2,h3,h4,h5,h6,b,strong,th{font-weight:700}
h1{font-size:2em}h2{font-size:1.5em}h3{font-size:1.17em}h4{font-size:1em}h5{font-size:.83em}h6{font-size:.67em}
small,sub,sup{font-size:.8333em}big{font-size:1.2em}code,kbd,samp,pre,tt{font-size:.8125em}
input,select,textarea,button{color:#000000;font-size:13.3333px;font-weight:400}
input,select,textarea{background-color:#ffffff}
button,input[type=button],input[type=submit],input[type=reset],input[type=color],input[type=file]::file-selector-button{background-color:#efefef}
input[type=checkbox],input[type=radio],input[type=range],input[type=image],input[type=file]{background-color:transparent}
button:disabled,input:disabled,select:disabled,textarea:disabled{color:#6d6d6d}
fieldset:disabled button{color:#6d6d6d}
optgroup{font-weight:700}
dialog{position:absolute;background-color:#ffffff;color:#000000}
`
